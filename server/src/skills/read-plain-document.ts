import type { Fields } from './parse-yaml.ts';
import { isPlainKey, plainValue } from './plain-value.ts';

/** A `SKILL.md` in which nothing has to be mended. */
export interface PlainDocument {
  fields: Fields;
  body: string;
  /** Line at which the body begins, from 1. */
  bodyLine: number;
}

const opening = '---\n';
const closing = /\n---[ \t]*(?:\n|$)/g;
const field = /^([A-Za-z_][\w-]{0,99}):(?: +(.*))?$/;
/** White space other than blanks and line ends. */
const oddSpace = /[^\S \n]/;
/** Longer ones are left to YAML, which knows how much is too much. */
const maxLength = 16 * 1024;
const maxLines = 200;

/**
 * Reads a `SKILL.md` whose frontmatter is as plain as most are: texts, and one level of lists and maps.
 * Gives what gray-matter and YAML would give, to the letter, in a twentieth of their time; undefined
 * as soon as there is more to it than that.
 */
export function readPlainDocument(text: string): PlainDocument | undefined {
  closing.lastIndex = opening.length;
  const closed = text.startsWith(opening) ? closing.exec(text) : null;
  if (!closed || closed.index > maxLength) {
    return undefined;
  }
  const frontmatter = text.slice(opening.length, closed.index);
  const lines = frontmatter.split('\n');
  const isPlain = lines.length <= maxLines && !oddSpace.test(frontmatter);
  const fields = isPlain ? parsePlainFields(lines) : undefined;
  return (
    fields && {
      fields,
      body: text.slice(closed.index + closed[0].length).replace(/^\n+/, ''),
      bodyLine: lines.length + (closed[0].endsWith('\n') ? 3 : 2),
    }
  );
}

function parsePlainFields(lines: readonly string[]): Fields | undefined {
  const fields: Fields = new Map();
  for (let at = 0, next = 0; at < lines.length; at = next) {
    const found = field.exec(lines[at] ?? '');
    const key = found?.[1];
    if (key === undefined || !isPlainKey(key) || fields.has(key)) {
      return undefined;
    }
    next = at + 1;
    while (next < lines.length && !/^[A-Za-z_]/.test(lines[next] ?? '')) {
      next += 1;
    }
    const value = plainValue(found?.[2] ?? '', lines.slice(at + 1, next));
    if (!value) {
      return undefined;
    }
    // The opening line is the first of the file.
    value.line = at + 2;
    fields.set(key, value);
  }
  return fields;
}
