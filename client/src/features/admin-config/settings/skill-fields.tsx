import { useTranslation } from 'react-i18next';
import { ChoiceField } from '../choice-field.tsx';
import { FormSection } from '../form-section.tsx';
import { SwitchField } from '../switch-field.tsx';
import { useChoices } from '../use-choices.ts';
import { SettingNumber } from './setting-number.tsx';
import { useEnvironment } from './settings-context.ts';

/** Settings of all skills. */
export function SkillFields() {
  const { t } = useTranslation();
  const models = useChoices('models') ?? [];
  const scripts = useEnvironment('allowScriptExecution');
  return (
    <>
      <FormSection title={t('settings.catalogue')} fields={catalogue}>
        <SettingNumber
          path="catalogTokenBudget"
          label={t('settings.catalogTokenBudget')}
          description={t('settings.catalogTokenBudgetAbout')}
          fallback={4000}
        />
        <SettingNumber
          path="maxSkillsPerRequest"
          label={t('settings.maxSkillsPerRequest')}
          fallback={10}
        />
        <SettingNumber
          path="maxSkillBodyTokens"
          label={t('settings.maxSkillBodyTokens')}
          description={t('settings.maxSkillBodyTokensAbout')}
          fallback={5000}
        />
        <ChoiceField
          path="routerModel"
          label={t('settings.routerModel')}
          description={t('settings.routerModelAbout')}
          choices={models}
          nothing={t('settings.sameModel')}
        />
        <SwitchField
          path="translateTools"
          label={t('settings.translateTools')}
          description={t('settings.translateToolsAbout')}
        />
      </FormSection>
      <FormSection title={t('settings.scripts')} fields={['allowScriptExecution']}>
        <SwitchField
          path="allowScriptExecution"
          label={t('settings.allowScripts')}
          description={scripts ? t('settings.scriptsOff') : t('settings.allowScriptsAbout')}
          fallback={false}
          isDisabled={scripts !== undefined}
        />
      </FormSection>
    </>
  );
}

const catalogue = [
  'catalogTokenBudget',
  'maxSkillsPerRequest',
  'maxSkillBodyTokens',
  'routerModel',
  'translateTools',
];
