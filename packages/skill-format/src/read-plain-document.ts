import type { Fields } from './parse-yaml.ts';
import { plainEntries, plainValue } from './plain-value.ts';

/** A `SKILL.md` with frontmatter that needs no repairs. */
export interface PlainDocument {
  fields: Fields;
  /** Offset in the text after the frontmatter's last line. */
  end: number;
  /** Line at which the body begins, from 1. */
  bodyLine: number;
}

const opening = '---\n';
const closing = /\n---[ \t]*(?:\n|$)/g;
/** White space other than blanks and line ends. */
const oddSpace = /[^\S \n]/;
/** Longer ones are left to YAML, which enforces limits. */
const maxLength = 16 * 1024;
const maxLines = 200;
const maxCommas = 500;

/**
 * A fast path for simple frontmatter: texts, lists and maps, without anchors, aliases, tags or odd
 * keys. Returns exactly what gray-matter and YAML would, in a twentieth of the time; undefined for
 * anything more complicated.
 *
 * @param text a `SKILL.md`, or its bytes as Latin-1
 * @param decode returns the text between two offsets
 */
export function readPlainDocument(
  text: string,
  decode = (start: number, end: number) => text.slice(start, end),
): PlainDocument | undefined {
  closing.lastIndex = opening.length;
  const closed = text.startsWith(opening) ? closing.exec(text) : null;
  if (!closed || closed.index > maxLength) {
    return undefined;
  }
  const frontmatter = decode(opening.length, closed.index);
  // The opening line is the first line of the file.
  const fields = readPlainFields(frontmatter, 1);
  return (
    fields && {
      fields,
      end: closed.index + closed[0].length,
      bodyLine: frontmatter.split('\n').length + (closed[0].endsWith('\n') ? 3 : 2),
    }
  );
}

/**
 * The fields of simple frontmatter.
 *
 * @param offset lines of the file before the frontmatter; fields have line numbers of the file
 */
export function readPlainFields(source: string, offset: number): Fields | undefined {
  const lines = source.split('\n');
  const isShort =
    source.length <= maxLength && lines.length <= maxLines && !hasMore(source, ',', maxCommas);
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

function hasMore(text: string, sign: string, limit: number): boolean {
  let count = 0;
  let at = text.indexOf(sign);
  while (at >= 0 && count <= limit) {
    count += 1;
    at = text.indexOf(sign, at + 1);
  }
  return count > limit;
}
