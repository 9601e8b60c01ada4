import { builtInVariables, maxVariableLength } from '@knowhow/shared/access/user-variables';
import { isRecord } from '@knowhow/shared/is-record';
import { listPlaceholders } from '@knowhow/shared/skills/named-placeholders';
import { TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TextBlock } from '../../../ui/text/text-block.tsx';
import { ChoiceField } from '../choice-field.tsx';
import { FormSection } from '../form-section.tsx';
import { GrantField } from '../groups/grant-field.tsx';
import { IdsField } from '../ids-field.tsx';
import { asLocalized, asTexts } from '../items/config-value.ts';
import { useDraft, useField } from '../items/draft-context.ts';
import { ItemBasics } from '../items/item-basics.tsx';
import classes from '../items/item-page.module.css';
import { ListEditor } from '../list-editor.tsx';
import { LocalizedField, languageName } from '../localized-field.tsx';
import { NumberField } from '../number-field.tsx';
import { VariableFields } from '../prompts/variable-fields.tsx';
import { MissingVariables, useVariableNames, VariableList } from '../prompts/variable-list.tsx';
import { SwitchField } from '../switch-field.tsx';
import { TextField } from '../text-field.tsx';
import { useChoices } from '../use-choices.ts';
import { AppLookFields } from './app-look-fields.tsx';
import { AppSkills } from './app-skills.tsx';
import { ToolIdsField } from './tool-ids-field.tsx';

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

/** The tools of an app. */
function AppTools() {
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

/** The greeting of an empty conversation: a title, or a title and a text, as stored in the file. */
function AppGreeting() {
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

/** The origins that may embed this app's chat, and the embed code. */
function AppEmbed() {
  const { t } = useTranslation();
  const { item } = useDraft();
  const { value, set, error } = useField('embed.origins');
  const origins = asTexts(value);
  return (
    <FormSection
      title={t('adminConfig.app.embed')}
      description={t('adminConfig.app.embedAbout')}
      holds={{ 'embed.origins': 'origins' }}
    >
      <TagsInput
        label={t('adminConfig.app.embedOrigins')}
        description={t('adminConfig.app.embedHint')}
        value={origins}
        error={error}
        acceptValueOnBlur
        onChange={(chosen) => {
          const given = chosen.map(toOrigin);
          set(given.length > 0 ? [...new Set(given)] : undefined);
        }}
      />
      {origins.length > 0 && (
        <>
          <TextBlock label={t('adminConfig.app.embedSnippet')} text={createEmbedCode(item.id)} />
          <p>{t('adminConfig.app.embedGuide')}</p>
        </>
      )}
    </FormSection>
  );
}

/** The origin of a pasted URL; an invalid URL is kept, to be rejected. */
function toOrigin(text: string): string {
  const { origin } = URL.canParse(text) ? new URL(text) : { origin: 'null' };
  return origin === 'null' ? text : origin;
}

function createEmbedCode(app: string): string {
  return `<script src="${window.location.origin}/embed.js" data-app="${app}" async></script>`;
}

/** Suggested first messages. */
function AppStarters() {
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

/** Questions that each user of an app answers once. */
function AppUserVariables() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('adminConfig.app.userVariables')}
      description={t('adminConfig.app.userVariablesAbout')}
      holds={{ userVariables: 'questions' }}
    >
      <UnknownPlaces />
      <VariableList
        path="userVariables"
        nameOf={(number) => t('adminConfig.app.userVariable', { number })}
        addLabel={t('adminConfig.app.addUserVariable')}
      >
        {(path, variable) => (
          <VariableFields
            path={path}
            variable={variable}
            nameLabel={t('adminConfig.app.variableName')}
            about={
              <LocalizedField
                path={`${path}.description`}
                label={t('adminConfig.app.variableAbout')}
              />
            }
            requiredAbout={t('adminConfig.app.requiredAbout')}
            typed={
              <NumberField
                path={`${path}.maxLength`}
                label={t('adminConfig.app.variableLength', { max: maxVariableLength })}
              />
            }
          />
        )}
      </VariableList>
    </FormSection>
  );
}

/** Unknown placeholders in the prompt. */
function UnknownPlaces() {
  const { t } = useTranslation();
  const system = asLocalized(useField('system').value) ?? '';
  const texts = typeof system === 'string' ? [system] : Object.values(system);
  const asked = useVariableNames('userVariables');
  const builtIn = new Set<string>(builtInVariables);
  const names = [...new Set(texts.flatMap(listPlaceholders))].filter(
    (name) => !(asked.has(name) || builtIn.has(name)),
  );
  return (
    names.length > 0 && (
      <MissingVariables
        path="userVariables"
        about={t('adminConfig.app.unresolvedPlaceholders', {
          names: names.map((name) => `{{${name}}}`).join(', '),
        })}
        names={names.filter((name) => !name.includes('.'))}
        addLabel={(name) => t('adminConfig.app.askFor', { name })}
      />
    )
  );
}
