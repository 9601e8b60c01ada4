import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import { GrantField } from '../groups/grant-field.tsx';
import { asTexts } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import { ToolIdsField } from './tool-ids-field.tsx';

/** The tools of an app. */
export function AppTools() {
  const { t } = useTranslation();
  const ids = asTexts(useField('tools').value);
  const meaning = ids.includes('*') ? 'all' : ids.length > 0 ? 'some' : 'none';
  return (
    <FormSection
      title={t('adminConfig.tools.title')}
      description={t('adminConfig.tools.about')}
      holds={{ tools: 'tools' }}
    >
      <GrantField
        path="tools"
        allLabel={t('adminConfig.tools.all')}
        description={t(meanings[meaning])}
      >
        <ToolIdsField path="tools" />
      </GrantField>
    </FormSection>
  );
}

const meanings = {
  all: 'adminConfig.tools.allIs',
  some: 'adminConfig.tools.someIs',
  none: 'adminConfig.tools.noneIs',
} as const;
