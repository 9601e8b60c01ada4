import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QuestionFields } from '../../ui/question-fields.tsx';
import type { FormError, FormValues } from '../../ui/question-values.ts';
import type { SchemaEntry } from './schema-form.ts';
import classes from './tool-page.module.css';

interface SchemaFieldsProps {
  form: readonly SchemaEntry[];
  entries: FormValues;
  faults: Record<string, FormError | 'json'>;
  onChange: (entries: FormValues) => void;
}

/** The properties of a schema as fields, with JSON inputs for unsupported types. */
export function SchemaFields({ form, entries, faults, onChange }: SchemaFieldsProps) {
  const { t } = useTranslation();
  if (form.length === 0) {
    return <p className={classes.quiet}>{t('adminTools.noArguments')}</p>;
  }
  return form.map(({ field, isJson }) => {
    const { name, label, description, required } = field;
    const fault = faults[name];
    const entry = entries[name];
    if (!isJson) {
      return (
        <QuestionFields
          key={name}
          fields={[field]}
          entries={entries}
          faults={fault && fault !== 'json' ? { [name]: fault } : {}}
          onChange={onChange}
        />
      );
    }
    return (
      <div key={name} data-fault={fault}>
        <Textarea
          label={t('adminTools.jsonOf', { name: label })}
          description={description}
          withAsterisk={required}
          classNames={{ input: classes.code ?? '' }}
          rows={3}
          spellCheck={false}
          value={typeof entry === 'string' ? entry : ''}
          error={fault && t(fault === 'json' ? 'adminTools.notJson' : 'adminTools.needed')}
          onChange={(event) => onChange({ ...entries, [name]: event.currentTarget.value })}
        />
      </div>
    );
  });
}
