import { type Field, unsafeKeys } from './parse-yaml.ts';

/** Words that YAML gives a meaning, in one spelling or another. */
const word = /^(?:true|false|null)$/i;
/** Begins like nothing but a text, and holds neither the end of a key nor a comment. */
const plainText = /^[^\s\-?:,[\]{}#&*!|>'"%@`~.+<=0-9](?:[^:#]|:(?!\s|$)|(?<!\s)#)*$/;
/** Versions and dates: a number has one dot at most. */
const dotted = /^\d+(?:\.\d+\.|-\d+-)[\w.-]*$/;
const number = /^\d{1,15}(?:\.\d{1,15})?$/;
const doubleQuoted = /^"[^"\\]*"$/;
const singleQuoted = /^'(?:[^']|'')*'$/;
const item = /^( *)- +(.*)$/;
const entry = /^( +)([A-Za-z_][\w-]{0,99}):(?: +(.*))?$/;

/** Whether YAML takes a word for a text, and it is safe as a key. */
export function isPlainKey(key: string): boolean {
  return !word.test(key) && !unsafeKeys.has(key);
}

/**
 * What YAML makes of a value, or undefined where that is not plain to see. There is no white space but
 * blanks; which line it is is for the caller to say.
 *
 * @param written what follows the key on its line
 * @param below the lines down to the next key
 */
export function plainValue(written: string, below: readonly string[]): Field | undefined {
  const lines = below.slice(0, below.findLastIndex((line) => line !== '') + 1);
  if (lines.length === 0) {
    return written === '' ? fieldOf(null) : valueInLine(written);
  }
  if (written === '') {
    return listOf(lines) ?? mapOf(lines);
  }
  return /^[|>]-? *$/.test(written) ? blockText(written, lines) : foldedText(written, lines);
}

function valueInLine(written: string): Field | undefined {
  const text = written.trimEnd();
  return text.startsWith('[') ? listInLine(text) : scalar(text);
}

function scalar(text: string): Field | undefined {
  if (plainText.test(text)) {
    return word.test(text) ? flagValue(text) : textValue(text);
  }
  if (doubleQuoted.test(text)) {
    return textValue(text.slice(1, -1));
  }
  if (singleQuoted.test(text)) {
    return textValue(text.slice(1, -1).replaceAll("''", "'"));
  }
  if (number.test(text)) {
    return fieldOf(Number(text), text);
  }
  return dotted.test(text) ? textValue(text) : undefined;
}

function textValue(text: string): Field {
  return fieldOf(text, text);
}

function fieldOf(value: unknown, text?: string, entries?: Field['entries']): Field {
  return { value, text, entries, line: 1 };
}

function flagValue(text: string): Field | undefined {
  const isFlag = text === 'true' || text === 'false';
  return isFlag ? fieldOf(text === 'true', text) : undefined;
}

function listInLine(text: string): Field | undefined {
  const inside = text.slice(1, -1).trim();
  if (!text.endsWith(']') || /[[\]{}:#\\]/.test(inside)) {
    return undefined;
  }
  return listValue(inside === '' ? [] : inside.split(','));
}

function listOf(lines: readonly string[]): Field | undefined {
  const items = lines.map((line) => item.exec(line));
  const indent = items[0]?.[1];
  return indent !== undefined && items.every((each) => each?.[1] === indent)
    ? listValue(items.map((each) => each?.[2] ?? ''))
    : undefined;
}

function listValue(items: readonly string[]): Field | undefined {
  const values = items.map((each) => scalar(each.trim()));
  return values.includes(undefined) ? undefined : fieldOf(values.map((each) => each?.value));
}

function mapOf(lines: readonly string[]): Field | undefined {
  const value: Record<string, unknown> = {};
  const entries = new Map<string, string | undefined>();
  let indent: string | undefined;
  for (const line of lines) {
    const found = entry.exec(line);
    const key = found?.[2];
    indent ??= found?.[1];
    const field = found?.[3] ? valueInLine(found[3]) : fieldOf(null);
    if (!key || !field || found[1] !== indent || !isPlainKey(key) || entries.has(key)) {
      return undefined;
    }
    value[key] = field.value;
    entries.set(key, field.text);
  }
  return fieldOf(value, undefined, entries);
}

/** A text of several lines below the sign for it, all indented alike. */
function blockText(head: string, lines: readonly string[]): Field | undefined {
  const indent = /^ +/.exec(lines[0] ?? '')?.[0];
  const isFolded = head.startsWith('>');
  const isAlike = (line: string) =>
    line === '' ||
    (indent !== undefined &&
      line.startsWith(indent) &&
      line.trim() !== '' &&
      !(isFolded && line.startsWith(' ', indent.length)));
  if (indent === undefined || !lines.every(isAlike)) {
    return undefined;
  }
  const text = lines.map((line) => line.slice(indent.length)).join('\n');
  return textValue((isFolded ? fold(text) : text) + (head.startsWith('-', 1) ? '' : '\n'));
}

/** A single line end becomes a blank; of several in a row, one is lost. */
function fold(text: string): string {
  return text.replace(/\n(\n*)/g, (_, more: string) => more || ' ');
}

/** A text that goes on in the lines below, indented. */
function foldedText(written: string, lines: readonly string[]): Field | undefined {
  if (!lines.every((line) => /^ +[A-Za-z0-9(]/.test(line))) {
    return undefined;
  }
  const text = [written, ...lines].map((line) => line.trim()).join(' ');
  return plainText.test(text) ? textValue(text) : undefined;
}
