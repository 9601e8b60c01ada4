import { placesIn } from '@knowhow/shared/named-places';
import { builtInVariables, maxVariableLength } from '@knowhow/shared/user-variables';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ChoiceField } from './choice-field.tsx';
import { listOf, localizedOf, recordOf, textOf } from './config-value.ts';
import { useField } from './draft-context.ts';
import { FormSection } from './form-section.tsx';
import classes from './item-page.module.css';
import { ListEditor } from './list-editor.tsx';
import { LocalizedField } from './localized-field.tsx';
import { NumberField } from './number-field.tsx';
import { SwitchField } from './switch-field.tsx';
import { TextField } from './text-field.tsx';

/** What an app asks each of its users once. */
export function AppUserVariables() {
  const { t } = useTranslation();
  const variables = listOf(useField('userVariables').value);
  return (
    <FormSection
      title={t('adminConfig.app.userVariables')}
      description={t('adminConfig.app.userVariablesAbout')}
      holds={{ userVariables: 'questions' }}
    >
      <UnknownPlaces />
      <ListEditor
        path="userVariables"
        nameOf={(number) =>
          textOf(recordOf(variables[number - 1]).name) ??
          t('adminConfig.app.userVariable', { number })
        }
        addLabel={t('adminConfig.app.addUserVariable')}
        blank={{ type: 'string' }}
      >
        {(path, index) => <Fields path={path} variable={recordOf(variables[index])} />}
      </ListEditor>
    </FormSection>
  );
}

/** Places of the prompt that nothing fills. */
function UnknownPlaces() {
  const { t } = useTranslation();
  const variables = useField('userVariables');
  const system = localizedOf(useField('system').value) ?? '';
  const texts = typeof system === 'string' ? [system] : Object.values(system);
  const known = new Set<string | undefined>([
    ...builtInVariables,
    ...listOf(variables.value).map((variable) => textOf(recordOf(variable).name)),
  ]);
  const names = [...new Set(texts.flatMap(placesIn))].filter((name) => !known.has(name));
  if (names.length === 0) {
    return null;
  }
  return (
    <div className={classes.hint} role="status">
      <p>
        {t('adminConfig.app.unknownPlaces', {
          names: names.map((name) => `{{${name}}}`).join(', '),
        })}
      </p>
      {names
        .filter((name) => !name.includes('.'))
        .map((name) => (
          <Button
            key={name}
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => variables.set([...listOf(variables.value), { name, type: 'string' }])}
          >
            {t('adminConfig.app.askFor', { name })}
          </Button>
        ))}
    </div>
  );
}

interface FieldsProps {
  path: string;
  variable: Record<string, unknown>;
}

function Fields({ path, variable }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className={classes.pair}>
        <TextField path={`${path}.name`} label={t('adminConfig.app.variableName')} isCode />
        <ChoiceField
          path={`${path}.type`}
          label={t('adminConfig.prompt.type')}
          choices={types.map(({ value, label }) => ({ value, label: t(label) }))}
        />
      </div>
      <LocalizedField path={`${path}.label`} label={t('adminConfig.prompt.label')} />
      <LocalizedField path={`${path}.description`} label={t('adminConfig.app.variableAbout')} />
      <LocalizedField path={`${path}.defaultValue`} label={t('adminConfig.prompt.defaultValue')} />
      <SwitchField
        path={`${path}.required`}
        label={t('adminConfig.prompt.required')}
        description={t('adminConfig.app.requiredAbout')}
      />
      {variable.type === 'select' ? (
        <ListEditor
          path={`${path}.options`}
          nameOf={(number) => t('adminConfig.prompt.option', { number })}
          addLabel={t('adminConfig.prompt.addOption')}
          blank=""
        >
          {(option) => <LocalizedField path={option} label={t('adminConfig.prompt.optionText')} />}
        </ListEditor>
      ) : (
        <NumberField
          path={`${path}.maxLength`}
          label={t('adminConfig.app.variableLength', { max: maxVariableLength })}
          placeholder="200"
        />
      )}
    </>
  );
}

const types = [
  { value: 'string', label: 'adminConfig.prompt.typeString' },
  { value: 'text', label: 'adminConfig.prompt.typeText' },
  { value: 'select', label: 'adminConfig.prompt.typeSelect' },
] as const;
