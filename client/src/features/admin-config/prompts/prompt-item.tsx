import type { Localized } from '@knowhow/shared/config/localized';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { DetailsPanel } from '../facts.tsx';
import { FormSection } from '../form-section.tsx';
import { asList, asLocalized, asRecord } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import { ItemBasics } from '../items/item-basics.tsx';
import { ItemPage } from '../items/item-page.tsx';
import { LocalizedField } from '../localized-field.tsx';
import { TextField } from '../text-field.tsx';
import classes from './prompt-preview.module.css';
import { VariableFields } from './variable-fields.tsx';
import { MissingVariables, useVariableNames, VariableList } from './variable-list.tsx';

export function PromptItem({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <ItemPage
      kind="prompts"
      id={id}
      losses={[t('adminConfig.prompt.lossUse')]}
      facts={<PromptPreview />}
    >
      <PromptFields />
    </ItemPage>
  );
}

/** All fields of a prompt. */
function PromptFields() {
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

/** The text as it would be inserted, with the default values of its variables. */
function PromptPreview() {
  const { t } = useTranslation();
  const localize = useLocalize();
  const text = localize(asLocalized(useField('prompt').value));
  const variables = new Map(
    asList(useField('variables').value)
      .map(asRecord)
      .map((variable) => [variable.name, variable]),
  );
  // Every second part was in brackets.
  const parts = text.split(/\[(\w+)\]/);

  function filled(name: string): string {
    const { defaultValue, label } = variables.get(name) ?? {};
    return localize(asLocalized(defaultValue)) || localize(asLocalized(label)) || name;
  }

  return (
    <DetailsPanel title={t('adminConfig.prompt.preview')}>
      {text === '' && <p>{t('adminConfig.prompt.previewEmpty')}</p>}
      <div className={classes.text}>
        {parts.map((part, index) => {
          const key = `${index} ${part}`;
          if (index % 2 === 0) {
            return <Fragment key={key}>{part}</Fragment>;
          }
          return variables.has(part) ? <mark key={key}>{filled(part)}</mark> : `[${part}]`;
        })}
      </div>
    </DetailsPanel>
  );
}

/** The variables that users fill in before a prompt is inserted. */
function PromptVariables() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('adminConfig.prompt.variables')}
      description={t('adminConfig.prompt.variablesAbout')}
      holds={{ variables: 'variables' }}
    >
      <UnexplainedNames />
      <VariableList
        path="variables"
        nameOf={(number) => t('adminConfig.prompt.variable', { number })}
        addLabel={t('adminConfig.prompt.addVariable')}
      >
        {(path, variable) => (
          <VariableFields
            path={path}
            variable={variable}
            nameLabel={t('adminConfig.prompt.variableName')}
          />
        )}
      </VariableList>
    </FormSection>
  );
}

/** Bracketed names without a variable: perhaps forgotten, perhaps just text. */
function UnexplainedNames() {
  const { t } = useTranslation();
  const known = useVariableNames('variables');
  const text = asLocalized(useField('prompt').value);
  const names = findPlaceholders(text).filter((name) => !known.has(name));
  return (
    names.length > 0 && (
      <MissingVariables
        path="variables"
        about={t('adminConfig.prompt.unexplained')}
        names={names}
        addLabel={(name) => t('adminConfig.prompt.explain', { name })}
      />
    )
  );
}

/** The distinct `[names]` in a text, in any of its languages. */
function findPlaceholders(text: Localized | undefined): string[] {
  const texts = typeof text === 'object' ? Object.values(text) : [text ?? ''];
  const names = texts.flatMap((one) =>
    [...one.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)];
}
