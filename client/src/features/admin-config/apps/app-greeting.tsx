import { isRecord } from '@knowhow/shared/is-record';
import { useTranslation } from 'react-i18next';
import { useField } from '../items/draft-context.ts';
import { LocalizedField, languageName } from '../localized-field.tsx';
import { TextField } from '../text-field.tsx';

/** The greeting of an empty conversation: a title, or a title and a text, as stored in the file. */
export function AppGreeting() {
  const { t } = useTranslation();
  const { value } = useField('greeting');
  const hasParts =
    value === undefined || (isRecord(value) && ('title' in value || 'subtitle' in value));
  if (isRecord(value) && !hasParts && Object.values(value).every(isRecord)) {
    return Object.keys(value).map((tag) => <GreetingOf key={tag} tag={tag} />);
  }
  if (!hasParts) {
    return <LocalizedField path="greeting" label={t('adminConfig.app.greetingTitle')} />;
  }
  return (
    <>
      <LocalizedField path="greeting.title" label={t('adminConfig.app.greetingTitle')} />
      <LocalizedField path="greeting.subtitle" label={t('adminConfig.app.greetingText')} />
    </>
  );
}

/** The greeting in one language. */
function GreetingOf({ tag }: { tag: string }) {
  const { t } = useTranslation();
  const language = languageName(tag);
  return (
    <>
      <TextField
        path={`greeting.${tag}.title`}
        label={`${t('adminConfig.app.greetingTitle')}, ${language}`}
      />
      <TextField
        path={`greeting.${tag}.subtitle`}
        label={`${t('adminConfig.app.greetingText')}, ${language}`}
      />
    </>
  );
}
