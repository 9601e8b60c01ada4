import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@knowhow/shared/is-record';
import { type Edit, type FormattingOptions, format, type JSONPath, modify } from 'jsonc-parser';
import { parseConfig } from './parse-config.ts';

/** Maximum work in characters: each change parses the text again, at about 50 MB per second. */
const maxWork = 5_000_000;

/**
 * Replaces the value in a JSON text. Only differences are rewritten, so that manual formatting is kept: order,
 * indentation, single-line values and line ends.
 */
export function editJson(text: string, value: unknown): string {
  const before = tryParse(text);
  const formatting = detectFormatting(text);
  const changes = [...differences(before, value, [])];
  const length = Math.max(text.length, JSON.stringify(value).length);
  if (before !== undefined && changes.length * length < maxWork) {
    const edited = changes.reduce((done, change) => applyChange(done, change, formatting), text);
    // Edits fail if the text has duplicate keys, because a path is then ambiguous.
    if (isDeepStrictEqual(tryParse(edited), value)) {
      return edited;
    }
  }
  return print(value, formatting);
}

interface Change {
  path: JSONPath;
  /** Undefined removes it. */
  value: unknown;
}

function* differences(before: unknown, after: unknown, path: JSONPath): Generator<Change> {
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      yield* differences(getOwn(before, key), getOwn(after, key), [...path, key]);
    }
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of after.entries()) {
      yield* differences(before[index], value, [...path, index]);
    }
  } else if (!isDeepStrictEqual(before, after)) {
    yield { path, value: after };
  }
}

function getOwn(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function applyChange(text: string, { path, value }: Change, formatting: FormattingOptions): string {
  const [edit] = modify(text, path, value, {});
  if (!edit) {
    return text;
  }
  const old = text.slice(edit.offset, edit.offset + edit.length);
  if (Array.isArray(value) && /^\[.*\]$/.test(old)) {
    const items = value.map((item) => JSON.stringify(item));
    return applyEdits(text, [{ ...edit, content: `[${items.join(', ')}]` }]);
  }
  const edited = applyEdits(text, [edit]);
  const start = edit.offset + edit.length;
  const range = { offset: edit.offset, length: edit.content.length };
  if (edit.length === 0 || (value === undefined && old.includes('\n'))) {
    // Inserting or removing an entry also affects the line breaks of its neighbours.
    range.offset -= 1;
    range.length += /^\s*\n/.test(text.slice(start)) ? 1 : 2;
  }
  return applyEdits(edited, format(edited, range, formatting));
}

/** Like the library's, but in linear time: a formatted list has an edit for each of its thousands of items. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { offset, length, content } of edits.toSorted((one, two) => one.offset - two.offset)) {
    parts.push(text.slice(at, offset), content);
    at = offset + length;
  }
  return [...parts, text.slice(at)].join('');
}

function tryParse(text: string): unknown {
  try {
    return parseConfig(text);
  } catch {
    return undefined;
  }
}

function detectFormatting(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function print(value: unknown, { insertSpaces, tabSize, eol = '\n' }: FormattingOptions): string {
  const text = JSON.stringify(value, null, insertSpaces ? tabSize : '\t');
  return `${text}\n`.replaceAll('\n', eol);
}
