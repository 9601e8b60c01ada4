import { useTranslation } from 'react-i18next';
import { isRecord } from './config-value.ts';
import { useField } from './draft-context.ts';
import { LocalizedField } from './localized-field.tsx';

/** What an empty conversation shows: a title, or a title and what stands below it. */
export function AppGreeting() {
  const { t } = useTranslation();
  const { value } = useField('greeting');
  const hasParts =
    value === undefined || (isRecord(value) && ('title' in value || 'subtitle' in value));
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
