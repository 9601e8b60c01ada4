import { useTranslation } from 'react-i18next';
import { FormSection } from './form-section.tsx';
import { ListEditor } from './list-editor.tsx';
import { LocalizedField } from './localized-field.tsx';

/** Suggestions for a first message. */
export function AppStarters() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('adminConfig.app.starters')}
      description={t('adminConfig.app.startersAbout')}
    >
      <ListEditor
        path="starterPrompts"
        nameOf={(number) => t('adminConfig.app.starter', { number })}
        addLabel={t('adminConfig.app.addStarter')}
        blank={{}}
      >
        {(path) => (
          <>
            <LocalizedField path={`${path}.title`} label={t('adminConfig.app.starterTitle')} />
            <LocalizedField
              path={`${path}.message`}
              label={t('adminConfig.app.starterMessage')}
              rows={2}
            />
          </>
        )}
      </ListEditor>
    </FormSection>
  );
}
