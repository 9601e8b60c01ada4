import { checkLevels } from '@knowhow/shared/skills/check-settings';
import { type Node, parseTree } from 'jsonc-parser';

/** A string in a JSON text. */
interface StringField {
  /** Keys and indexes of its path. */
  steps: readonly (string | number)[];
  value: string;
  /** Whether a key on its path names a secret. */
  isSecret: boolean;
  /** For array entries: what identifies them. Empty if nothing does. */
  marks: readonly string[] | undefined;
  /** Range in the text, including quotes. */
  offset: number;
  length: number;
}

/** Last word of a secret's name, or its ending if the words are not separated. */
const secretWord =
  /^(?:.*(?:api|secret|private|access|encryption|hmac)key|.*(?:password|passwd|pwd|passphrase)|pass|(?:client)?secret|(?:access|auth|refresh)?token|credentials?|authorization)$/;
/** Words before `key` or `token` in names of harmless fields. */
const harmlessWord =
  /^(?:public|primary|foreign|sort|cache|storage|group|index|label|title|text|message|translation|start|stop|end|max|min|total|input|output|prompt|completion)$/;
const masked = '***';
const placeholder = /\$\{[A-Z][A-Z0-9_]*(?::-)?\}/;

/** Whether a name indicates a secret: `apiKey`, `OPENAI_KEY`, `clientSecret`, `tokens`. */
export function isSecretName(name: string): boolean {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const [before = '', last = ''] = [...words].slice(-2).map((word) => word.toLowerCase());
  if (words.length < 2) {
    return isSecretWord(before);
  }
  return !harmlessWord.test(before) && (/^keys?$/.test(last) || isSecretWord(last));
}

function isSecretWord(word: string): boolean {
  return secretWord.test(word) || (word.endsWith('s') && secretWord.test(word.slice(0, -1)));
}

/** Masks every secret in a value; a string is treated as the text of a file. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value !== 'string') {
    return maskItem(value, false);
  }
  try {
    return withholdSecrets(value).text;
  } catch {
    return masked;
  }
}

function maskItem(value: unknown, isSecret: boolean): unknown {
  if (typeof value === 'string') {
    return isSecret && isLiteral(value) ? masked : value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => maskItem(item, isSecret));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      maskItem(item, isSecret || isSecretName(name)),
    ]),
  );
}

/**
 * Replaces every secret in a JSON text with `""` and returns the paths, such as `providers.0.apiKey`. Placeholders
 * are kept. Throws a `RangeError` if the text is nested too deeply, and a `SyntaxError` if it is invalid and may
 * contain a secret.
 */
export function withholdSecrets(text: string): { text: string; fields: string[] } {
  if (!isJson(text)) {
    if (mayContainSecret(text)) {
      throw new SyntaxError('It is not valid JSON and seems to hold a key.');
    }
    return { text, fields: [] };
  }
  const secrets = stringFields(text).filter((field) => field.isSecret && isLiteral(field.value));
  return {
    text: secrets.reduceRight((done, field) => replaceField(done, field, '""'), text),
    fields: secrets.map(getPath),
  };
}

/**
 * Fills empty strings at given paths with the values that another JSON text has there. Also returns the paths that
 * have no value there, or where it is not certain to belong to the same entry.
 */
export function fillFields(
  text: string,
  paths: readonly string[],
  other: string,
): { text: string; missing: string[] } {
  const wanted = new Set(paths);
  const fields = byPath(stringFields(text));
  const otherFields = byPath(isJson(text) && isJson(other) ? stringFields(other) : []);
  const empty = [...fields].filter(([path, all]) => wanted.has(path) && all.some(isEmpty));
  const known = empty.flatMap(([path, all]) => {
    const [field, now] = [getSingle(all), getSingle(otherFields.get(path))];
    const isSame = field && now && !isEmpty(now) && hasSameIdentity(field, now);
    return isSame ? [{ path, field, now: other.slice(now.offset, now.offset + now.length) }] : [];
  });
  const filled = new Set(known.map(({ path }) => path));
  return {
    text: known.reduceRight((done, { field, now }) => replaceField(done, field, now), text),
    missing: empty.map(([path]) => path).filter((path) => !filled.has(path)),
  };
}

function byPath(fields: readonly StringField[]): Map<string, StringField[]> {
  const found = new Map<string, StringField[]>();
  for (const field of fields) {
    const path = getPath(field);
    const same = found.get(path);
    if (same) {
      same.push(field);
    } else {
      found.set(path, [field]);
    }
  }
  return found;
}

function getPath({ steps }: StringField): string {
  return steps.join('.');
}

function isEmpty({ value }: StringField): boolean {
  return value === '';
}

function getSingle<Item>(items: readonly Item[] = []): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

function hasSameIdentity(one: StringField, other: StringField): boolean {
  const what = ({ steps, marks }: StringField) => JSON.stringify([steps, marks]);
  return one.marks?.length !== 0 && what(one) === what(other);
}

/** The check for secrets is named after them, but its level is none. */
const levels: readonly string[] = checkLevels;

function isLiteral(value: string): boolean {
  return value !== '' && !placeholder.test(value) && !levels.includes(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return false;
    }
    throw error;
  }
}

/** Whether an unparsable text, possibly in UTF-16, may contain a secret. */
function mayContainSecret(text: string): boolean {
  const plain = text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const words = plain.match(/[\w.-]+/g) ?? [];
  const quoted = plain.match(/["'][^"'\n]{1,100}["'](?=\s*:)/g) ?? [];
  return plain.includes('\0') || [...words, ...quoted].some(isSecretName);
}

/** In text order. */
function stringFields(text: string): StringField[] {
  const found: StringField[] = [];
  const root = parseTree(text);
  if (root) {
    collect(root, { steps: [], isSecret: false, marks: undefined }, found);
  }
  return found;
}

type Path = Pick<StringField, 'steps' | 'isSecret' | 'marks'>;

function collect(node: Node, parent: Path, found: StringField[]): void {
  const { children = [], offset, length } = node;
  if (node.type === 'string') {
    found.push({ ...parent, value: String(node.value), offset, length });
  } else if (node.type === 'array') {
    for (const [at, item] of children.entries()) {
      collect(item, pathToItem(parent, at, item, children.length), found);
    }
  } else if (node.type === 'object') {
    const marks = parent.marks && [...parent.marks, ...getMarks(children, parent.isSecret)];
    for (const { children: [key, value] = [] } of children) {
      if (key && value) {
        const name = String(key.value);
        const isSecret = parent.isSecret || isSecretName(name);
        collect(value, { steps: [...parent.steps, name], isSecret, marks }, found);
      }
    }
  }
}

/** Lists of strings count as identical if they have the same length. */
function pathToItem(parent: Path, at: number, item: Node, count: number): Path {
  const { marks = [] } = parent;
  return {
    ...parent,
    steps: [...parent.steps, at],
    marks: item.type === 'string' ? [...marks, `${count}`] : marks,
  };
}

/** The non-secret strings of an object, such as its ID. */
function getMarks(properties: readonly Node[], isSecret: boolean): string[] {
  return properties
    .map(({ children: [key, value] = [] }) => ({ name: String(key?.value), value }))
    .filter(({ name, value }) => value?.type === 'string' && !isSecret && !isSecretName(name))
    .map(({ name, value }) => JSON.stringify([name, value?.value]))
    .sort();
}

function replaceField(text: string, { offset, length }: StringField, literal: string): string {
  return text.slice(0, offset) + literal + text.slice(offset + length);
}
