import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@knowhow/shared/is-record';
import { applyEdits, type FormattingOptions, format, type JSONPath, modify } from 'jsonc-parser';
import { parseConfig } from './parse-config.ts';

/** Characters: each change reads the text again, at some 50 MB a second. */
const maxWork = 5_000_000;

/**
 * Puts a value in place of the one a JSON text holds. Only what differs is written again: order,
 * indentation, what is on one line and ends of lines stay as somebody wrote them.
 */
export function editJson(text: string, value: unknown): string {
  const before = parsed(text);
  const formatting = formattingOf(text);
  const changes = [...differences(before, value, [])];
  const length = Math.max(text.length, JSON.stringify(value).length);
  if (before !== undefined && changes.length * length < maxWork) {
    const edited = changes.reduce((done, change) => changeIn(done, change, formatting), text);
    // A text that says a name twice has no single position to edit.
    if (isDeepStrictEqual(parsed(edited), value)) {
      return edited;
    }
  }
  return printed(value, formatting);
}

interface Change {
  path: JSONPath;
  /** Undefined: is to be removed. */
  value: unknown;
}

function* differences(before: unknown, after: unknown, path: JSONPath): Generator<Change> {
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      yield* differences(own(before, key), own(after, key), [...path, key]);
    }
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of after.entries()) {
      yield* differences(before[index], value, [...path, index]);
    }
  } else if (!isDeepStrictEqual(before, after)) {
    yield { path, value: after };
  }
}

function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function changeIn(text: string, { path, value }: Change, formatting: FormattingOptions): string {
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
    // What comes in between others, or goes, also decides on where the lines beside it begin.
    range.offset -= 1;
    range.length += /^\s*\n/.test(text.slice(start)) ? 1 : 2;
  }
  return applyEdits(edited, format(edited, range, formatting));
}

function parsed(text: string): unknown {
  try {
    return parseConfig(text);
  } catch {
    return undefined;
  }
}

function formattingOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function printed(value: unknown, { insertSpaces, tabSize, eol = '\n' }: FormattingOptions): string {
  const text = JSON.stringify(value, null, insertSpaces ? tabSize : '\t');
  return `${text}\n`.replaceAll('\n', eol);
}
