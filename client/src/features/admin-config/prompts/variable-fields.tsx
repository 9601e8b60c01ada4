import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChoiceField } from '../choice-field.tsx';
import classes from '../items/item-page.module.css';
import { ListEditor } from '../list-editor.tsx';
import { LocalizedField } from '../localized-field.tsx';
import { SwitchField } from '../switch-field.tsx';
import { TextField } from '../text-field.tsx';
import type { VariablesPath } from './variable-list.tsx';

interface VariableFieldsProps {
  path: `${VariablesPath}.${number}`;
  variable: Record<string, unknown>;
  nameLabel: string;
  /** Fields after the label. */
  about?: ReactNode;
  /** When an answer is required. */
  requiredAbout?: string;
  /** Settings of typed, not chosen, answers. */
  typed?: ReactNode;
}

/** A variable of an app or a prompt: its name, input type and texts. */
export function VariableFields({
  path,
  variable,
  nameLabel,
  about,
  requiredAbout,
  typed,
}: VariableFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className={classes.pair}>
        <TextField path={`${path}.name`} label={nameLabel} isCode />
        <ChoiceField
          path={`${path}.type`}
          label={t('adminConfig.prompt.type')}
          choices={types.map(({ value, label }) => ({ value, label: t(label) }))}
        />
      </div>
      <LocalizedField path={`${path}.label`} label={t('adminConfig.prompt.label')} />
      {about}
      <LocalizedField path={`${path}.defaultValue`} label={t('adminConfig.prompt.defaultValue')} />
      <SwitchField
        path={`${path}.required`}
        label={t('adminConfig.prompt.required')}
        {...(requiredAbout && { description: requiredAbout })}
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
        typed
      )}
    </>
  );
}

const types = [
  { value: 'string', label: 'adminConfig.prompt.typeString' },
  { value: 'text', label: 'adminConfig.prompt.typeText' },
  { value: 'select', label: 'adminConfig.prompt.typeSelect' },
] as const;
