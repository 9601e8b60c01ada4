import { type Node, parseTree } from 'jsonc-parser';

/** A string in a JSON text. */
interface StringField {
  /** Names and positions on the way to it. */
  steps: readonly (string | number)[];
  value: string;
  /** Whether a name on the way says that it is secret. */
  isSecret: boolean;
  /** In an array: what distinguishes its position from others there. Empty when nothing does. */
  marks: readonly string[] | undefined;
  /** Where it is, with its quotes, in characters. */
  offset: number;
  length: number;
}

/** The last word of a name that says what it holds: written together where no capital parts it. */
const secretWord =
  /^(?:.*(?:api|secret|private|access|encryption|hmac)key|.*(?:password|passwd|pwd|passphrase)|pass|(?:client)?secret|(?:access|auth|refresh)?token|credentials?|authorization)$/;
/** What comes before `key` or `token` in names that hold no secret. */
const harmlessWord =
  /^(?:public|primary|foreign|sort|cache|storage|group|index|label|title|text|message|translation|start|stop|end|max|min|total|input|output|prompt|completion)$/;
const masked = '***';
const placeholder = /\$\{[A-Z][A-Z0-9_]*(?::-)?\}/;

/** Whether a name says that its value is secret: `apiKey`, `OPENAI_KEY`, `clientSecret`, `tokens`. */
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

/** The value with every secret in it made unreadable; a text is taken for that of a file. */
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
    return isSecret && isWritten(value) ? masked : value;
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
 * A JSON text with `""` in place of every secret in it, and the paths of these, such as
 * `providers.0.apiKey`. Placeholders stay. Throws a `RangeError` for one that is nested too deeply, and
 * a `SyntaxError` for one that is not valid and seems to hold a secret.
 */
export function withholdSecrets(text: string): { text: string; fields: string[] } {
  if (!isJson(text)) {
    if (mayHoldSecret(text)) {
      throw new SyntaxError('It is not valid JSON and seems to hold a key.');
    }
    return { text, fields: [] };
  }
  const secrets = stringFields(text).filter((field) => field.isSecret && isWritten(field.value));
  return {
    text: secrets.reduceRight((done, field) => replaced(done, field, '""'), text),
    fields: secrets.map(pathOf),
  };
}

/**
 * Gives the empty strings at some paths of a JSON text the values they have in another. Answers also
 * the paths of those that have none there, or where it is not certain that it is the same thing's.
 */
export function fillFields(
  text: string,
  paths: readonly string[],
  other: string,
): { text: string; missing: string[] } {
  const wanted = new Set(paths);
  const fields = byPath(stringFields(text));
  const there = byPath(isJson(text) && isJson(other) ? stringFields(other) : []);
  const empty = [...fields].filter(([path, all]) => wanted.has(path) && all.some(isEmpty));
  const known = empty.flatMap(([path, all]) => {
    const [field, now] = [onlyOne(all), onlyOne(there.get(path))];
    const isSame = field && now && !isEmpty(now) && isSamePosition(field, now);
    return isSame ? [{ path, field, now: other.slice(now.offset, now.offset + now.length) }] : [];
  });
  const filled = new Set(known.map(({ path }) => path));
  return {
    text: known.reduceRight((done, { field, now }) => replaced(done, field, now), text),
    missing: empty.map(([path]) => path).filter((path) => !filled.has(path)),
  };
}

function byPath(fields: readonly StringField[]): Map<string, StringField[]> {
  const found = new Map<string, StringField[]>();
  for (const field of fields) {
    const path = pathOf(field);
    const same = found.get(path);
    if (same) {
      same.push(field);
    } else {
      found.set(path, [field]);
    }
  }
  return found;
}

function pathOf({ steps }: StringField): string {
  return steps.join('.');
}

function isEmpty({ value }: StringField): boolean {
  return value === '';
}

function onlyOne<Item>(items: readonly Item[] = []): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

function isSamePosition(one: StringField, other: StringField): boolean {
  const what = ({ steps, marks }: StringField) => JSON.stringify([steps, marks]);
  return one.marks?.length !== 0 && what(one) === what(other);
}

function isWritten(value: string): boolean {
  return value !== '' && !placeholder.test(value);
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

/** Whether a secret may be in a text whose parts cannot be distinguished, or that is in UTF-16. */
function mayHoldSecret(text: string): boolean {
  const plain = text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const words = plain.match(/[\w.-]+/g) ?? [];
  const quoted = plain.match(/["'][^"'\n]{1,100}["'](?=\s*:)/g) ?? [];
  return plain.includes('\0') || [...words, ...quoted].some(isSecretName);
}

/** In the order of the text. */
function stringFields(text: string): StringField[] {
  const found: StringField[] = [];
  const root = parseTree(text);
  if (root) {
    collect(root, { steps: [], isSecret: false, marks: undefined }, found);
  }
  return found;
}

type Way = Pick<StringField, 'steps' | 'isSecret' | 'marks'>;

function collect(node: Node, way: Way, found: StringField[]): void {
  const { children = [], offset, length } = node;
  if (node.type === 'string') {
    found.push({ ...way, value: String(node.value), offset, length });
  } else if (node.type === 'array') {
    for (const [at, item] of children.entries()) {
      collect(item, wayToItem(way, at, item, children.length), found);
    }
  } else if (node.type === 'object') {
    const marks = way.marks && [...way.marks, ...marksOf(children, way.isSecret)];
    for (const { children: [key, value] = [] } of children) {
      if (key && value) {
        const name = String(key.value);
        const isSecret = way.isSecret || isSecretName(name);
        collect(value, { steps: [...way.steps, name], isSecret, marks }, found);
      }
    }
  }
}

/** A list of strings is the same as another when it is as long. */
function wayToItem(way: Way, at: number, item: Node, count: number): Way {
  const { marks = [] } = way;
  return {
    ...way,
    steps: [...way.steps, at],
    marks: item.type === 'string' ? [...marks, `${count}`] : marks,
  };
}

/** The strings of an object that are no secrets, such as its id. */
function marksOf(properties: readonly Node[], isSecret: boolean): string[] {
  return properties
    .map(({ children: [key, value] = [] }) => ({ name: String(key?.value), value }))
    .filter(({ name, value }) => value?.type === 'string' && !isSecret && !isSecretName(name))
    .map(({ name, value }) => JSON.stringify([name, value?.value]))
    .sort();
}

function replaced(text: string, { offset, length }: StringField, literal: string): string {
  return text.slice(0, offset) + literal + text.slice(offset + length);
}
