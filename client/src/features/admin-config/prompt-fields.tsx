import { useTranslation } from 'react-i18next';
import { FormSection } from './form-section.tsx';
import classes from './item-page.module.css';
import { LocalizedField } from './localized-field.tsx';
import { NumberField } from './number-field.tsx';
import { PromptVariables } from './prompt-variables.tsx';
import { SwitchField } from './switch-field.tsx';
import { TextField } from './text-field.tsx';

/** Every field of a prompt. */
export function PromptFields() {
  const { t } = useTranslation();
  return (
    <>
      <FormSection title={t('adminConfig.prompt.basics')}>
        <SwitchField
          path="enabled"
          label={t('adminConfig.enabled')}
          description={t('adminConfig.prompt.enabledAbout')}
          fallback
        />
        <LocalizedField path="name" label={t('adminConfig.name')} />
        <LocalizedField path="description" label={t('adminConfig.description')} rows={1} />
        <div className={classes.triple}>
          <TextField path="category" label={t('adminConfig.prompt.category')} />
          <NumberField
            path="order"
            label={t('adminConfig.order')}
            placeholder={t('adminConfig.orderLast')}
          />
        </div>
      </FormSection>
      <FormSection
        title={t('adminConfig.prompt.text')}
        description={t('adminConfig.prompt.textAbout')}
      >
        <LocalizedField path="prompt" label={t('adminConfig.prompt.textLabel')} rows={5} />
      </FormSection>
      <PromptVariables />
    </>
  );
}
