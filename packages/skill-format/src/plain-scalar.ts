import { type Field, unsafeKeys } from './parse-yaml.ts';

/** A value like YAML's, without its line. */
export type PlainValue = Omit<Field, 'line'>;

/** Words with a meaning in YAML, in any case. */
const word = /^(?:true|false|null)$/i;
/** Begins unambiguously like a text or number, without a key separator or comment in it. */
const plainText = /^[^\s\-?:,[\]{}#&*!|>'"%@`~.+<=](?:[^:#]|:(?!\s|$)|(?<!\s)#)*$/;
const number = /^\d{1,15}(?:\.\d{1,15})?$/;
/** Other forms that YAML treats as numbers. */
const oddNumber = /^(?:0o[0-7]+|0x[\da-f]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?)$/i;
const doubleQuoted = /^"(?:[^"\\]|\\.)*"$/s;
const singleQuoted = /^'(?:[^']|'')*'$/;
const escapedLineEnd = /\\ *\n/;
/** Characters from escapes that must be removed. */
const unclean = /[^\P{Cc}\n\t]|\p{Cs}/u;

/** Whether a word is a text in YAML, and safe as a key. */
export function isPlainKey(key: string): boolean {
  return !word.test(key) && !unsafeKeys.has(key);
}

/** A value on one line, trimmed; undefined for anything complicated. */
export function plainScalar(text: string): PlainValue | undefined {
  if (plainText.test(text)) {
    return valueOfWord(text);
  }
  const quoted = quotedText(text);
  return quoted === undefined ? undefined : textValue(quoted);
}

/** A quoted text on one or several lines; undefined if it is not quoted from start to end. */
export function quotedText(written: string): string | undefined {
  if (doubleQuoted.test(written)) {
    return escapedLineEnd.test(written) ? undefined : unescaped(foldLines(written.slice(1, -1)));
  }
  return singleQuoted.test(written)
    ? foldLines(written.slice(1, -1)).replaceAll("''", "'")
    : undefined;
}

/** Folds line ends: a single one becomes a blank; of several in a row, one is removed. */
export function fold(text: string): string {
  return text.replace(/\n(\n*)/g, (_, more: string) => more || ' ');
}

export function textValue(text: string): PlainValue {
  return { value: text, text, entries: undefined };
}

/** A list, a map, or nothing: not a text. */
export function treeValue(value: unknown, entries?: Field['entries']): PlainValue {
  return { value, text: undefined, entries };
}

function valueOfWord(text: string): PlainValue | undefined {
  if (word.test(text)) {
    const isFlag = text === 'true' || text === 'false';
    return isFlag ? { value: text === 'true', text, entries: undefined } : undefined;
  }
  if (number.test(text)) {
    return { value: Number(text), text, entries: undefined };
  }
  return oddNumber.test(text) ? undefined : textValue(text);
}

/** Trims lines, except at both ends of the text. */
function foldLines(text: string): string {
  return text.includes('\n') ? fold(text.replace(/ *\n */g, '\n')) : text;
}

/** JSON's escapes have the same meaning in YAML, which has more. */
function unescaped(inside: string): string | undefined {
  if (!inside.includes('\\')) {
    return inside;
  }
  try {
    const text: unknown = JSON.parse(`"${inside.replaceAll('\n', '\\n')}"`);
    return typeof text === 'string' && !unclean.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
