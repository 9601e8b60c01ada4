import { isRecord } from '@knowhow/shared/is-record';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import { asLocalized } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import { ListEditor } from '../list-editor.tsx';
import { LocalizedField } from '../localized-field.tsx';

/** Suggested first messages. */
export function AppStarters() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('adminConfig.app.starters')}
      description={t('adminConfig.app.startersAbout')}
      holds={{ starterPrompts: 'starters' }}
    >
      <ListEditor
        path="starterPrompts"
        nameOf={(number) => t('adminConfig.app.starter', { number })}
        addLabel={t('adminConfig.app.addStarter')}
        blank={{}}
      >
        {(path) => <Starter path={path} />}
      </ListEditor>
    </FormSection>
  );
}

/** A title, a subtitle and a message, or a single text that is both title and message. */
function Starter({ path }: { path: `starterPrompts.${number}` }) {
  const { t } = useTranslation();
  const { value } = useField(path);
  const message = { label: t('adminConfig.app.starterMessage'), rows: 2 };
  if (isRecord(value) && 'text' in value) {
    return <LocalizedField path={`${path}.text`} {...message} />;
  }
  const isText =
    asLocalized(value) !== undefined &&
    !(isRecord(value) && ('title' in value || 'message' in value || isEmpty(value)));
  if (isText) {
    return <LocalizedField path={path} {...message} />;
  }
  return (
    <>
      <LocalizedField path={`${path}.title`} label={t('adminConfig.app.starterTitle')} />
      <LocalizedField
        path={`${path}.outcome`}
        label={t('adminConfig.app.starterOutcome')}
        description={t('adminConfig.app.starterOutcomeAbout')}
      />
      <LocalizedField path={`${path}.message`} {...message} />
    </>
  );
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
