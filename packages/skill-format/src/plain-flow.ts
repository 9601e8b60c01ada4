import { unsafeKeys } from './parse-yaml.ts';
import { isPlainKey, type PlainValue, plainScalar, treeValue } from './plain-scalar.ts';

const maxDepth = 10;

const space = /[ \n]*/y;
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'/y;
/** Up to the end of the item, including colons that are directly followed by text. */
const plain = /[^\s,[\]{}"':#](?:[^,[\]{}:#\n]|:(?=[^\s,[\]{}"']))*/y;
const key = /([A-Za-z_][\w-]{0,99}):(?=[ \n])|"([A-Za-z_][\w-]{0,99})":/y;

/** A position in a text. */
interface Reader {
  readonly text: string;
  at: number;
}

/**
 * A list in brackets or a map in braces, on one or several lines; undefined for anything
 * complicated.
 */
export function plainFlow(text: string): PlainValue | undefined {
  const reader = { text, at: 0 };
  const value = readValue(reader, 0);
  take(reader, space);
  return reader.at === text.length ? value : undefined;
}

function readValue(reader: Reader, depth: number): PlainValue | undefined {
  const first = reader.text[reader.at];
  if (first === '[') {
    return readList(reader, depth + 1);
  }
  if (first === '{') {
    return readMap(reader, depth + 1);
  }
  const found = take(reader, quoted) ?? take(reader, plain);
  return found && plainScalar(found[0].trimEnd());
}

function readList(reader: Reader, depth: number): PlainValue | undefined {
  const values: unknown[] = [];
  const isRead = readItems(reader, depth, ']', () => {
    const found = readValue(reader, depth);
    values.push(found?.value);
    return found !== undefined;
  });
  return isRead ? treeValue(values) : undefined;
}

function readMap(reader: Reader, depth: number): PlainValue | undefined {
  const value: Record<string, unknown> = {};
  const entries = new Map<string, string | undefined>();
  const isRead = readItems(reader, depth, '}', () => {
    const found = take(reader, key);
    const name = found?.[1] ?? found?.[2] ?? '';
    const isKey = found?.[1] === undefined ? !unsafeKeys.has(name) : isPlainKey(name);
    if (!found || !isKey || entries.has(name)) {
      return false;
    }
    take(reader, space);
    const inside = readValue(reader, depth);
    value[name] = inside?.value;
    entries.set(name, inside?.text);
    return inside !== undefined;
  });
  return isRead ? treeValue(value, entries) : undefined;
}

/** Items between two signs, separated by commas, optionally with a trailing comma. */
function readItems(reader: Reader, depth: number, end: string, readItem: () => boolean): boolean {
  reader.at += 1;
  for (let hasComma = true; depth <= maxDepth; ) {
    take(reader, space);
    if (reader.text[reader.at] === end) {
      reader.at += 1;
      return true;
    }
    if (!hasComma || !readItem()) {
      return false;
    }
    take(reader, space);
    hasComma = reader.text[reader.at] === ',';
    reader.at += hasComma ? 1 : 0;
  }
  return false;
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  reader.at += found?.[0].length ?? 0;
  return found ?? undefined;
}
