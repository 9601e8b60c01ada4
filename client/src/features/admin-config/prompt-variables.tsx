import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { bracketNames } from './bracket-names.ts';
import { ChoiceField } from './choice-field.tsx';
import { listOf, localizedOf, recordOf, textOf } from './config-value.ts';
import { useField } from './draft-context.ts';
import { FormSection } from './form-section.tsx';
import classes from './item-page.module.css';
import { ListEditor } from './list-editor.tsx';
import { LocalizedField } from './localized-field.tsx';
import { SwitchField } from './switch-field.tsx';
import { TextField } from './text-field.tsx';

/** What a prompt asks for before it is inserted. */
export function PromptVariables() {
  const { t } = useTranslation();
  const variables = listOf(useField('variables').value);
  return (
    <FormSection
      title={t('adminConfig.prompt.variables')}
      description={t('adminConfig.prompt.variablesAbout')}
      holds={{ variables: 'variables' }}
    >
      <UnexplainedNames />
      <ListEditor
        path="variables"
        nameOf={(number) =>
          textOf(recordOf(variables[number - 1]).name) ??
          t('adminConfig.prompt.variable', { number })
        }
        addLabel={t('adminConfig.prompt.addVariable')}
        blank={{ type: 'string' }}
      >
        {(path, index) => <VariableFields path={path} variable={recordOf(variables[index])} />}
      </ListEditor>
    </FormSection>
  );
}

/** Names in brackets that no variable has: perhaps forgotten, perhaps just words. */
function UnexplainedNames() {
  const { t } = useTranslation();
  const variables = useField('variables');
  const text = localizedOf(useField('prompt').value);
  const known = new Set(listOf(variables.value).map((variable) => textOf(recordOf(variable).name)));
  const names = bracketNames(text).filter((name) => !known.has(name));
  if (names.length === 0) {
    return null;
  }
  return (
    <div className={classes.hint}>
      <p>{t('adminConfig.prompt.unexplained')}</p>
      {names.map((name) => (
        <Button
          key={name}
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => variables.set([...listOf(variables.value), { name, type: 'string' }])}
        >
          {t('adminConfig.prompt.explain', { name })}
        </Button>
      ))}
    </div>
  );
}

interface VariableFieldsProps {
  path: string;
  variable: Record<string, unknown>;
}

function VariableFields({ path, variable }: VariableFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className={classes.pair}>
        <TextField path={`${path}.name`} label={t('adminConfig.prompt.variableName')} isCode />
        <ChoiceField
          path={`${path}.type`}
          label={t('adminConfig.prompt.type')}
          choices={types.map(({ value, label }) => ({ value, label: t(label) }))}
        />
      </div>
      <LocalizedField path={`${path}.label`} label={t('adminConfig.prompt.label')} />
      <LocalizedField path={`${path}.defaultValue`} label={t('adminConfig.prompt.defaultValue')} />
      <SwitchField path={`${path}.required`} label={t('adminConfig.prompt.required')} />
      {variable.type === 'select' && (
        <ListEditor
          path={`${path}.options`}
          nameOf={(number) => t('adminConfig.prompt.option', { number })}
          addLabel={t('adminConfig.prompt.addOption')}
          blank=""
        >
          {(option) => <LocalizedField path={option} label={t('adminConfig.prompt.optionText')} />}
        </ListEditor>
      )}
    </>
  );
}

const types = [
  { value: 'string', label: 'adminConfig.prompt.typeString' },
  { value: 'text', label: 'adminConfig.prompt.typeText' },
  { value: 'select', label: 'adminConfig.prompt.typeSelect' },
] as const;
