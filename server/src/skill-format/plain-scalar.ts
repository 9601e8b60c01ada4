import { type Field, unsafeKeys } from './parse-yaml.ts';

/** A value as YAML gives it; which line it is on is for others to say. */
export type PlainValue = Omit<Field, 'line'>;

/** Words that YAML gives a meaning, in one spelling or another. */
const word = /^(?:true|false|null)$/i;
/** Begins like nothing but a text or a number, and holds neither the end of a key nor a comment. */
const plainText = /^[^\s\-?:,[\]{}#&*!|>'"%@`~.+<=](?:[^:#]|:(?!\s|$)|(?<!\s)#)*$/;
const number = /^\d{1,15}(?:\.\d{1,15})?$/;
/** Whatever else YAML takes for a number. */
const oddNumber = /^(?:0o[0-7]+|0x[\da-f]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?)$/i;
const doubleQuoted = /^"(?:[^"\\]|\\.)*"$/s;
const singleQuoted = /^'(?:[^']|'')*'$/;
const escapedLineEnd = /\\ *\n/;
/** What an escape may bring in, and is cleaned away again. */
const unclean = /[^\P{Cc}\n\t]|\p{Cs}/u;

/** Whether a word is a text to YAML, and safe as a key. */
export function isPlainKey(key: string): boolean {
  return !word.test(key) && !unsafeKeys.has(key);
}

/** A value that is on one line, without white space around it; undefined where it is not plain to see. */
export function plainScalar(text: string): PlainValue | undefined {
  if (plainText.test(text)) {
    return valueOfWord(text);
  }
  const quoted = quotedText(text);
  return quoted === undefined ? undefined : textValue(quoted);
}

/** A quoted text, of one line or several; undefined for what is not one from its first to its last sign. */
export function quotedText(written: string): string | undefined {
  if (doubleQuoted.test(written)) {
    return escapedLineEnd.test(written) ? undefined : unescaped(foldLines(written.slice(1, -1)));
  }
  return singleQuoted.test(written)
    ? foldLines(written.slice(1, -1)).replaceAll("''", "'")
    : undefined;
}

/** A single line end becomes a blank; of several in a row, one is lost. */
export function fold(text: string): string {
  return text.replace(/\n(\n*)/g, (_, more: string) => more || ' ');
}

export function textValue(text: string): PlainValue {
  return { value: text, text, entries: undefined };
}

/** A list, a map, or nothing: what is no text of its own. */
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

/** Lines lose the blanks at their ends, but for the two ends of the text. */
function foldLines(text: string): string {
  return text.includes('\n') ? fold(text.replace(/ *\n */g, '\n')) : text;
}

/** The escapes of JSON mean the same in YAML, which has more. */
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
