import type { Fields } from './parse-yaml.ts';
import { plainEntries, plainValue } from './plain-value.ts';

/** A `SKILL.md` in which nothing has to be fixed. */
export interface PlainDocument {
  fields: Fields;
  body: string;
  /** Line at which the body begins, from 1. */
  bodyLine: number;
}

const opening = '---\n';
const closing = /\n---[ \t]*(?:\n|$)/g;
/** White space other than blanks and line ends. */
const oddSpace = /[^\S \n]/;
/** Longer ones are left to YAML, which knows how much is too much. */
const maxLength = 16 * 1024;
const maxLines = 200;
const maxCommas = 500;

/**
 * Reads a `SKILL.md` whose frontmatter is as plain as most are: texts, lists and maps, with neither anchors,
 * aliases, tags nor odd keys.
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
  // The opening line is the first of the file.
  const fields = readPlainFields(frontmatter, 1);
  return (
    fields && {
      fields,
      body: text.slice(closed.index + closed[0].length).replace(/^\n+/, ''),
      bodyLine: frontmatter.split('\n').length + (closed[0].endsWith('\n') ? 3 : 2),
    }
  );
}

/**
 * The fields of a frontmatter as plain as that.
 *
 * @param offset lines of the file before the frontmatter; lines of fields count in the file
 */
export function readPlainFields(source: string, offset: number): Fields | undefined {
  const lines = source.split('\n');
  const isShort =
    source.length <= maxLength && lines.length <= maxLines && source.split(',').length <= maxCommas;
  const entries = isShort && !oddSpace.test(source) ? plainEntries(lines, 0) : undefined;
  const fields: Fields = new Map();
  for (const { key, written, below, at } of entries ?? []) {
    const value = plainValue(written, below);
    if (!value) {
      return undefined;
    }
    fields.set(key, { ...value, line: at + 1 + offset });
  }
  return fields.size > 0 ? fields : undefined;
}
