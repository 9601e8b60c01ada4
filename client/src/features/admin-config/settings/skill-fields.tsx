import { useTranslation } from 'react-i18next';
import { SwitchField } from '../switch-field.tsx';
import { useChoices } from '../use-choices.ts';
import { SettingField } from './setting-field.tsx';
import { useEnvironment } from './settings-context.ts';
import { SettingsSection } from './settings-section.tsx';

/** Settings of all skills. */
export function SkillFields() {
  const { t } = useTranslation();
  const models = useChoices('models');
  const scripts = useEnvironment('allowScriptExecution');
  return (
    <>
      <SettingsSection
        title={t('settings.catalogue')}
        inRows
        fields={[
          'catalogTokenBudget',
          'maxSkillsPerRequest',
          'maxSkillBodyTokens',
          'routerModel',
          'translateTools',
        ]}
        special={{
          routerModel: (
            <SettingField path="routerModel" choices={models} nothing={t('settings.sameModel')} />
          ),
        }}
      />
      <SettingsSection
        title={t('settings.scripts')}
        fields={['allowScriptExecution']}
        special={
          scripts && {
            allowScriptExecution: (
              <SwitchField
                path="allowScriptExecution"
                label={t('settings.fields.allowScriptExecution')}
                description={t('settings.scriptsOff')}
                isDisabled
              />
            ),
          }
        }
      />
    </>
  );
}
