import type { z } from 'zod';

/** Parses a value. Issues get plain English messages unless their schema has one. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  return schema.safeParse(value, { error: describeIssue });
}

type Issue = z.core.$ZodRawIssue;

const maxChoices = 20;

/** Says what is wrong with a value, and what is accepted instead. */
function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `This is missing. It must be ${expectedType(issue.expected)}.`
        : `This must be ${expectedType(issue.expected)}, not ${typeName(issue.input)}.`;
    case 'too_big':
      return describeBound('at most', Number(issue.maximum), issue);
    case 'too_small':
      return describeBound('at least', Number(issue.minimum), issue);
    case 'invalid_value':
      return describeChoices(issue.values);
    case 'invalid_format':
      return `This is not ${formats[issue.format] ?? 'in the expected form'}.`;
    case 'not_multiple_of':
      return `This must be a multiple of ${issue.divisor}.`;
    case 'unrecognized_keys':
      return `Unknown ${issue.keys.length === 1 ? 'field' : 'fields'}: ${issue.keys.slice(0, maxChoices).join(', ')}.`;
    case 'invalid_key':
      return 'The name of this field is not allowed.';
    default:
      return 'This has none of the accepted forms.';
  }
}

function describeBound(
  bound: string,
  limit: number,
  { origin, exact, inclusive }: Issue & { code: 'too_big' | 'too_small' },
): string {
  const unit = units[origin];
  if (unit === undefined) {
    const than = bound === 'at most' ? 'less than' : 'more than';
    return `This must be ${inclusive === false ? than : bound} ${limit}.`;
  }
  const counted = `${limit} ${limit === 1 ? unit.one : unit.many}`;
  return limit === 1 && bound === 'at least'
    ? 'This must not be empty.'
    : `This must have ${exact ? 'exactly' : bound} ${counted}.`;
}

const units: Partial<Record<string, { one: string; many: string }>> = {
  string: { one: 'character', many: 'characters' },
  array: { one: 'entry', many: 'entries' },
  set: { one: 'entry', many: 'entries' },
  map: { one: 'entry', many: 'entries' },
  object: { one: 'field', many: 'fields' },
  file: { one: 'byte', many: 'bytes' },
};

function describeChoices(values: readonly unknown[]): string {
  const shown = values.slice(0, maxChoices).map((value) => JSON.stringify(value) ?? String(value));
  const more = values.length > maxChoices ? ', …' : '';
  return values.length === 1
    ? `This must be ${shown[0]}.`
    : `This must be one of ${shown.join(', ')}${more}.`;
}

const types: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
  undefined: 'left out',
  never: 'left out',
};

function expectedType(expected: string): string {
  return types[expected] ?? expected;
}

function typeName(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  return typeof value === 'boolean' ? String(value) : (types[typeof value] ?? typeof value);
}

const formats: Partial<Record<string, string>> = {
  email: 'an email address',
  url: 'an address',
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'a date with time, such as 2026-05-04T09:30:00Z',
  date: 'a date, such as 2026-05-04',
  time: 'a time',
  base64: 'Base64',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
  json_string: 'JSON',
};
