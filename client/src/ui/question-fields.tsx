import type { QuestionField } from '@knowhow/shared/config/tools';
import { Checkbox, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import './mantine-fields.css';
import classes from './question-fields.module.css';
import type { FormError, FormValues } from './question-values.ts';

interface QuestionFieldsProps {
  fields: readonly QuestionField[];
  entries: FormValues;
  faults: Record<string, FormError>;
  onChange: (entries: FormValues) => void;
}

/** The fields of a schema-driven form. */
export function QuestionFields({ fields, entries, faults, onChange }: QuestionFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.fields}>
      {fields.map((field) => {
        const fault = faults[field.name];
        return (
          <div key={field.name} data-fault={fault}>
            <FieldInput
              field={field}
              entry={entries[field.name]}
              error={fault && t(faultTexts[fault])}
              onChange={(entry) => onChange({ ...entries, [field.name]: entry })}
            />
          </div>
        );
      })}
    </div>
  );
}

const faultTexts = {
  required: 'toolCall.fieldRequired',
  number: 'toolCall.fieldNumber',
  integer: 'toolCall.fieldInteger',
} as const satisfies Record<FormError, string>;

interface FieldInputProps {
  field: QuestionField;
  entry: FormValues[string] | undefined;
  error: string | undefined;
  onChange: (entry: FormValues[string]) => void;
}

/** With more options, a select is shorter than radio buttons. */
const mostRadios = 5;

function FieldInput({ field, entry, error, onChange }: FieldInputProps) {
  const { t } = useTranslation();
  const { type, options = [], required } = field;
  const shared = {
    label: field.label,
    description: field.description,
    error,
    // Our own messages replace the browser's, which are in the browser's language.
    required: false,
    withAsterisk: required,
  };
  if (type === 'boolean') {
    return (
      <Checkbox
        label={field.label}
        description={field.description}
        error={error}
        checked={entry === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (type === 'choices') {
    const chosen = Array.isArray(entry) ? entry : [];
    return (
      <Checkbox.Group {...shared} value={chosen} onChange={onChange}>
        <div className={classes.options}>
          {options.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </div>
      </Checkbox.Group>
    );
  }
  const text = typeof entry === 'string' ? entry : '';
  if (type === 'choice' && required && options.length <= mostRadios) {
    return (
      <Radio.Group {...shared} value={text} onChange={onChange}>
        <div className={classes.options}>
          {options.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </div>
      </Radio.Group>
    );
  }
  if (type === 'choice') {
    return (
      <NativeSelect
        {...shared}
        value={text}
        data={[{ value: '', label: t('toolCall.noChoice') }, ...options]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      value={text}
      inputMode={inputModes[type]}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const inputModes = { text: 'text', number: 'decimal', integer: 'numeric' } as const;

/** Focuses the first invalid field of a form, once the errors are rendered. */
export function focusFirstError(form: HTMLElement): void {
  setTimeout(() =>
    form.querySelector<HTMLElement>('[data-fault] :is(input, select, textarea)')?.focus(),
  );
}
