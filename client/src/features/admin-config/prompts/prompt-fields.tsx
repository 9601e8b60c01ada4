import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import { ItemBasics } from '../items/item-basics.tsx';
import { LocalizedField } from '../localized-field.tsx';
import { TextField } from '../text-field.tsx';
import { PromptVariables } from './prompt-variables.tsx';

/** All fields of a prompt. */
export function PromptFields() {
  const { t } = useTranslation();
  return (
    <>
      <ItemBasics
        title={t('adminConfig.prompt.basics')}
        enabledAbout={t('adminConfig.prompt.enabledAbout')}
      >
        <TextField path="category" label={t('adminConfig.prompt.category')} />
      </ItemBasics>
      <FormSection
        title={t('adminConfig.prompt.text')}
        description={t('adminConfig.prompt.textAbout')}
        holds={{ prompt: 'languages' }}
      >
        <LocalizedField path="prompt" label={t('adminConfig.prompt.textLabel')} rows={5} />
      </FormSection>
      <PromptVariables />
    </>
  );
}
