import { useTranslation } from 'react-i18next';
import { ChoiceField } from '../choice-field.tsx';
import { FormSection } from '../form-section.tsx';
import { GrantField } from '../groups/grant-field.tsx';
import { IdsField } from '../ids-field.tsx';
import { ItemBasics } from '../items/item-basics.tsx';
import classes from '../items/item-page.module.css';
import { LocalizedField } from '../localized-field.tsx';
import { NumberField } from '../number-field.tsx';
import { SwitchField } from '../switch-field.tsx';
import { useChoices } from '../use-choices.ts';
import { AppEmbed } from './app-embed.tsx';
import { AppGreeting } from './app-greeting.tsx';
import { AppLookFields } from './app-look-fields.tsx';
import { AppSkills } from './app-skills.tsx';
import { AppStarters } from './app-starters.tsx';
import { AppTools } from './app-tools.tsx';
import { AppUserVariables } from './app-user-variables.tsx';

/** All fields of an app. */
export function AppFields() {
  const { t } = useTranslation();
  return (
    <>
      <ItemBasics
        title={t('adminConfig.app.basics')}
        enabledAbout={t('adminConfig.app.enabledAbout')}
      />
      <AppLookFields />
      <FormSection
        title={t('adminConfig.app.system')}
        description={t('adminConfig.app.systemAbout')}
        holds={{ system: 'languages' }}
      >
        <LocalizedField path="system" label={t('adminConfig.app.systemLabel')} rows={8} />
      </FormSection>
      <AppSkills />
      <AppTools />
      <FormSection title={t('traceAction')} holds={{ showTrace: 'switch' }}>
        <SwitchField
          path="showTrace"
          label={t('adminConfig.app.showTrace')}
          description={t('adminConfig.app.showTraceAbout')}
        />
      </FormSection>
      <FormSection title={t('adminConfig.app.users')} holds={{ customInstructions: 'switch' }}>
        <SwitchField
          path="customInstructions"
          label={t('adminConfig.app.customInstructions')}
          description={t('adminConfig.app.customInstructionsAbout')}
        />
      </FormSection>
      <AppUserVariables />
      <AppModels />
      <FormSection
        title={t('adminConfig.app.greeting')}
        description={t('adminConfig.app.greetingAbout')}
        holds={{ 'greeting.title': 'languages' }}
        fields={['greeting']}
      >
        <AppGreeting />
      </FormSection>
      <AppStarters />
      <AppEmbed />
    </>
  );
}

/** The allowed models and their settings. */
function AppModels() {
  const { t } = useTranslation();
  const models = useChoices('models');
  return (
    <FormSection
      title={t('adminConfig.app.models')}
      holds={{ allowedModels: 'models-or-all' }}
      fields={['preferredModel', 'preferredTemperature', 'tokenLimit']}
    >
      <GrantField
        path="allowedModels"
        allLabel={t('adminConfig.app.allModels')}
        description={t('adminConfig.app.allModelsAbout')}
        missingIsAll
      >
        <IdsField
          path="allowedModels"
          label={t('adminConfig.app.allowedModels')}
          placeholder={t('adminConfig.ids.pick')}
          choices={models}
        />
      </GrantField>
      <div className={classes.triple}>
        <ChoiceField
          path="preferredModel"
          label={t('adminConfig.app.preferredModel')}
          choices={models ?? []}
          nothing={t('adminConfig.app.noPreference')}
        />
        <NumberField
          path="preferredTemperature"
          label={t('adminConfig.app.temperature')}
          placeholder={t('adminConfig.app.modelsOwn')}
          decimals={2}
        />
        <NumberField
          path="tokenLimit"
          label={t('adminConfig.app.tokenLimit')}
          placeholder={t('adminConfig.app.modelsOwn')}
        />
      </div>
    </FormSection>
  );
}
