import { type JSONPath, visit } from 'jsonc-parser';

/** A string in a JSON text, as the value of a name. */
interface StringField {
  /** Names and positions on the way to it, with points: `providers.0.apiKey`. */
  path: string;
  name: string;
  value: string;
  /** Where it stands, with its quotes, in characters. */
  offset: number;
  length: number;
}

/** The last word of a name that says what it holds: written together where no capital parts it. */
const secretWord =
  /^(?:.*(?:api|secret|private|access)key|.*(?:password|passwd|passphrase)|(?:client)?secret|(?:access|auth)?token|credentials?|authorization)$/;
/** What comes before `key` or `token` in names that hold no secret. */
const harmlessWord =
  /^(?:public|primary|foreign|sort|cache|storage|group|index|label|title|text|message|translation|start|stop|end)$/;
const masked = '***';
const placeholder = /\$\{[A-Z][A-Z0-9_]*(?::-)?\}/;

/** Whether a name says that its value is secret: `apiKey`, `OPENAI_KEY`, `clientSecret`, `token`. */
export function isSecretName(name: string): boolean {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const [before = '', last = ''] = [...words].slice(-2).map((word) => word.toLowerCase());
  if (words.length < 2) {
    return secretWord.test(before);
  }
  return !harmlessWord.test(before) && (last === 'key' || secretWord.test(last));
}

/** The value with every secret in it made unreadable; a text is taken for that of a file. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value !== 'string') {
    return maskItem(value);
  }
  try {
    return withholdSecrets(value).text;
  } catch {
    return masked;
  }
}

function maskItem(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(maskItem);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      typeof item === 'string' && isSecret(name, item) ? masked : maskItem(item),
    ]),
  );
}

/**
 * A JSON text, which may be broken, with `""` in the place of every secret in it, and the paths of these.
 * Placeholders stay. Throws a `RangeError` for one that is nested too deeply.
 */
export function withholdSecrets(text: string): { text: string; fields: string[] } {
  const secrets = stringFields(text).filter(({ name, value }) => isSecret(name, value));
  return {
    text: secrets.reduceRight((done, field) => replaced(done, field, '""'), text),
    fields: secrets.map(({ path }) => path),
  };
}

/**
 * Gives the empty strings at some paths of a JSON text the values they have in another.
 * Answers also the paths of those that have none there.
 */
export function fillFields(
  text: string,
  paths: readonly string[],
  other: string,
): { text: string; missing: string[] } {
  const wanted = new Set(paths);
  const there = new Map(stringFields(other).map((field) => [field.path, field]));
  const empty = stringFields(text).filter(({ path, value }) => value === '' && wanted.has(path));
  const known = empty.flatMap((field) => {
    const now = there.get(field.path);
    const literal = now?.value ? other.slice(now.offset, now.offset + now.length) : undefined;
    return literal === undefined ? [] : [{ field, literal }];
  });
  const filled = new Set(known.map(({ field }) => field.path));
  return {
    text: known.reduceRight((done, { field, literal }) => replaced(done, field, literal), text),
    missing: empty.map(({ path }) => path).filter((path) => !filled.has(path)),
  };
}

function isSecret(name: string, value: string): boolean {
  return value !== '' && !placeholder.test(value) && isSecretName(name);
}

function stringFields(text: string): StringField[] {
  const found: StringField[] = [];
  visit(text, {
    onLiteralValue: (value: unknown, offset, length, _line, _character, pathOf: () => JSONPath) => {
      if (typeof value !== 'string') {
        return;
      }
      const path = pathOf();
      const name = path.at(-1);
      if (typeof name === 'string') {
        found.push({ path: path.join('.'), name, value, offset, length });
      }
    },
  });
  return found;
}

function replaced(text: string, { offset, length }: StringField, literal: string): string {
  return text.slice(0, offset) + literal + text.slice(offset + length);
}
