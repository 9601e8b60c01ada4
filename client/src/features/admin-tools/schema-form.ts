import type { QuestionField } from '@knowhow/shared/config/tools';
import { isRecord } from '@knowhow/shared/is-record';
import { type FormError, type FormValues, parseFormValues } from '../../ui/question-values.ts';

/** One property of a schema: a field, or a JSON input for what a field cannot express. */
export type SchemaEntry = { field: QuestionField; isJson: boolean };

/** More properties would not be a usable form. */
const mostEntries = 60;

/** Converts a JSON schema of an object to a form; undefined if it is too complex for one. */
export function schemaToForm(schema: Record<string, unknown>): SchemaEntry[] | undefined {
  const { properties = {}, required } = schema;
  const isPlain = ['$ref', 'oneOf', 'anyOf', 'allOf', 'not', 'if'].every((key) => !(key in schema));
  if (!isPlain || !isRecord(properties) || Object.keys(properties).length > mostEntries) {
    return undefined;
  }
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, property]) =>
    toEntry(name, isRecord(property) ? property : {}, needed.has(name)),
  );
}

function toEntry(name: string, property: Record<string, unknown>, required: boolean): SchemaEntry {
  const { title, description, default: given } = property;
  const base = {
    name,
    label: typeof title === 'string' && title !== '' ? title : name,
    ...(typeof description === 'string' ? { description } : {}),
    required,
  };
  const kind = getFieldKind(property);
  if (!kind) {
    const text = given === undefined ? {} : { default: JSON.stringify(given) };
    return { field: { ...base, ...text, type: 'text' }, isJson: true };
  }
  const isKnown = isDefault(given);
  return { field: { ...base, ...kind, ...(isKnown ? { default: given } : {}) }, isJson: false };
}

function getFieldKind(
  property: Record<string, unknown>,
): Pick<QuestionField, 'type' | 'options'> | undefined {
  const { type, enum: values, items } = property;
  if (type === 'string' || type === undefined) {
    const options = toOptions(values);
    if (options) {
      return { type: 'choice', options };
    }
    return type === 'string' && values === undefined ? { type: 'text' } : undefined;
  }
  if ((type === 'number' || type === 'integer' || type === 'boolean') && values === undefined) {
    return { type };
  }
  const options = type === 'array' && isRecord(items) ? toOptions(items.enum) : undefined;
  return options && { type: 'choices', options };
}

function toOptions(values: unknown): QuestionField['options'] {
  const texts = Array.isArray(values) ? values : [];
  const isTexts = texts.length > 0 && texts.every((value) => typeof value === 'string');
  return isTexts ? texts.map((value: string) => ({ value, label: value })) : undefined;
}

function isDefault(given: unknown): given is NonNullable<QuestionField['default']> {
  return (
    ['string', 'number', 'boolean'].includes(typeof given) ||
    (Array.isArray(given) && given.every((item) => typeof item === 'string'))
  );
}

/** The values of the form, and the errors by field name: `json` for invalid JSON. */
export function parseFormInput(form: readonly SchemaEntry[], entries: FormValues) {
  const fields = form.map(({ field }) => field);
  const { values, faults } = parseFormValues(fields, entries);
  const input: Record<string, unknown> = { ...values };
  const all: Record<string, FormError | 'json'> = { ...faults };
  for (const { field, isJson } of form) {
    const value = input[field.name];
    if (isJson && typeof value === 'string') {
      const parsed = parseJson(value);
      if (parsed === undefined) {
        all[field.name] = 'json';
      }
      input[field.name] = parsed?.value;
    }
  }
  return { input, faults: all };
}

/** Undefined for invalid JSON. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
