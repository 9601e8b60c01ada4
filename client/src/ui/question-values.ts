import type { QuestionAnswer, QuestionField } from '@knowhow/shared/config/tools';

/** The raw values of a form's fields by name: numbers as typed. */
export type FormValues = Record<string, string | boolean | string[]>;

/** The error of a value. */
export type FormError = 'required' | 'number' | 'integer';

/** The initial values of the fields. */
export function initialFormValues(fields: readonly QuestionField[]): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, getInitialValue(field)]));
}

function getInitialValue({ type, default: given }: QuestionField): FormValues[string] {
  switch (type) {
    case 'boolean':
      return given === true;
    case 'choices':
      return Array.isArray(given) ? given : [];
    default:
      return given === undefined || Array.isArray(given) ? '' : String(given);
  }
}

/** The parsed values of a form without empty ones, and the errors by field name. */
export function parseFormValues(fields: readonly QuestionField[], entries: FormValues) {
  const values: NonNullable<QuestionAnswer['values']> = {};
  const faults: Record<string, FormError> = {};
  for (const field of fields) {
    const entry = entries[field.name] ?? getInitialValue(field);
    const isEmpty = isBlank(field, entry);
    if (isEmpty) {
      if (field.required) {
        faults[field.name] = 'required';
      }
      continue;
    }
    const fault = getValueError(field, entry);
    if (fault) {
      faults[field.name] = fault;
    } else {
      values[field.name] = isNumeric(field) ? parseNumber(entry) : entry;
    }
  }
  return { values, faults };
}

function isBlank(field: QuestionField, entry: FormValues[string]): boolean {
  if (typeof entry === 'boolean') {
    return !entry && !field.required && field.default === undefined;
  }
  return (typeof entry === 'string' ? entry.trim() : entry).length === 0;
}

function isNumeric({ type }: QuestionField): boolean {
  return type === 'number' || type === 'integer';
}

/** Accepts both 1.5 and 1,5. */
function parseNumber(entry: FormValues[string]): number {
  return Number(String(entry).trim().replace(',', '.'));
}

function getValueError(field: QuestionField, entry: FormValues[string]): FormError | undefined {
  if (!isNumeric(field)) {
    return undefined;
  }
  const number = parseNumber(entry);
  if (field.type === 'integer') {
    return Number.isSafeInteger(number) ? undefined : 'integer';
  }
  return Number.isFinite(number) ? undefined : 'number';
}
