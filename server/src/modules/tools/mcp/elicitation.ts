import type { Question, QuestionAnswer, QuestionField } from '@knowhow/shared/config/tools';
import { isRecord } from '@knowhow/shared/is-record';
import { shortenText } from '../../../platform/lib/shorten-text.ts';

const maxFields = 50;
const maxOptions = 200;
const maxMessage = 2000;
const maxLabel = 200;
/** Maximum length of an option's value, which is sent back unchanged. */
const maxValue = 1000;

/** The reply a server gets to an elicitation. */
export type ElicitationReply = {
  action: QuestionAnswer['action'];
  content?: Record<string, Value>;
};

/**
 * Converts an elicitation of a server into a form or a URL to open. Undefined if it is unsupported
 * or exceeds a limit.
 *
 * @param params of `elicitation/create`, untrusted
 */
export function parseElicitation(params: unknown): Question | undefined {
  if (!isRecord(params)) {
    return undefined;
  }
  const message = cut(textOf(params.message), maxMessage);
  if (params.mode === 'url') {
    const url = webAddress(params.url);
    return url === undefined ? undefined : { message, fields: [], url };
  }
  const schema = isRecord(params.requestedSchema) ? params.requestedSchema : {};
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (properties.length > maxFields) {
    return undefined;
  }
  const fields = properties.map(([name, property]) => fieldOf(name, property, required));
  return fields.every((field) => field !== undefined) ? { message, fields } : undefined;
}

/** The reply for the server: only values of the fields it asked for, in the requested types. */
export function toElicitationReply(
  { fields, url }: Question,
  { action, values = {} }: QuestionAnswer,
): ElicitationReply {
  if (action !== 'accept' || url !== undefined) {
    return { action };
  }
  const content = fields.flatMap(({ name, type }) => {
    const value = Object.hasOwn(values, name) ? typed(values[name], type) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { action, content: Object.fromEntries(content) };
}

type Value = string | number | boolean | string[];

function typed(value: Value | undefined, type: string): Value | undefined {
  if (type !== 'number' && type !== 'integer') {
    return value;
  }
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function fieldOf(
  name: string,
  property: unknown,
  required: readonly unknown[],
): QuestionField | undefined {
  if (!isRecord(property) || name.length > maxLabel) {
    return undefined;
  }
  const options = optionsOf(property);
  const type = typeOf(property, options !== undefined);
  const isLong = options?.some(({ value }) => value.length > maxValue);
  if (type === undefined || (options?.length ?? 0) > maxOptions || isLong) {
    return undefined;
  }
  const description = textOf(property.description);
  const standard = defaultOf(property.default);
  return {
    name,
    label: cut(textOf(property.title) || name, maxLabel),
    ...(description === '' ? {} : { description: cut(description, maxMessage) }),
    type,
    required: required.includes(name),
    ...(options ? { options } : {}),
    ...(standard === undefined ? {} : { default: standard }),
  };
}

function typeOf(
  { type }: Record<string, unknown>,
  hasOptions: boolean,
): QuestionField['type'] | undefined {
  switch (type) {
    case 'string':
      return hasOptions ? 'choice' : 'text';
    case 'array':
      return hasOptions ? 'choices' : undefined;
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    default:
      return undefined;
  }
}

/** `enum` or `oneOf` allow one choice; the items of an array allow several. */
function optionsOf(property: Record<string, unknown>): QuestionField['options'] {
  const from = property.type === 'array' && isRecord(property.items) ? property.items : property;
  const titled = [from.oneOf, from.anyOf].find(Array.isArray);
  if (titled) {
    return titled.filter(isRecord).map((option) => optionOf(option.const, option.title));
  }
  const titles = Array.isArray(from.enumNames) ? from.enumNames : [];
  return Array.isArray(from.enum)
    ? from.enum.map((value, index) => optionOf(value, titles[index]))
    : undefined;
}

function optionOf(value: unknown, title: unknown): { value: string; label: string } {
  const text = textOf(value);
  return { value: text, label: cut(textOf(title) || text, maxLabel) };
}

function defaultOf(value: unknown): QuestionField['default'] {
  if (Array.isArray(value)) {
    const items = value.slice(0, maxOptions).filter((item) => typeof item === 'string');
    return items.map((item) => item.slice(0, maxValue));
  }
  if (typeof value === 'string') {
    return cut(value, maxMessage);
  }
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function cut(text: string, characters: number): string {
  return shortenText(text, ({ length }) => length <= characters);
}

/** An http(s) URL without credentials, safe to open in a browser. */
function webAddress(value: unknown): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.username === '' ? url.href : undefined;
}
