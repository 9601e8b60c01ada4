import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose } from './diagnostics.ts';
import { beginsConflict } from './frontmatter-fault.ts';

/** Location of the frontmatter: lines from `first` to `end` (exclusive), then the body. */
export interface Frontmatter {
  first: number;
  end: number;
  /** First line of the body. */
  body: number;
  /** The opening line of a code fence around the whole file, if any. */
  fence: string | undefined;
  /** Text before it, which becomes part of the body. */
  prose: readonly string[];
}

const delimiter = /^---[ \t]*$/;
const field = /^["']?[A-Za-z_][\w-]*["']?[ \t]*:(?:[ \t]|$)/;
const codeFence = /^(`{3,}|~{3,})[ \t]*(?:[\w.-]+[ \t]*)?$/;

/**
 * Finds the two lines of dashes, at column 0 with only blanks after them. Repairs and reports
 * common mistakes; undefined if there is no frontmatter.
 */
export function findFrontmatter(
  lines: readonly string[],
  diagnostics: Diagnostic[],
): Frontmatter | undefined {
  const start = skipLeading(lines, diagnostics);
  const fence = codeFence.exec(lines[start] ?? '');
  const opening = fence ? start + 1 : start;
  const opened = delimiter.test(lines[opening] ?? '');
  const late = opened ? undefined : findLate(lines, start);
  if (late) {
    const isConflict = late.prose.some(beginsConflict);
    const code = isConflict ? 'merge-conflict' : 'frontmatter-late';
    diagnostics.push(diagnose(code, { line: start + 1 }));
    return late;
  }
  if (!opened && !field.test(lines[opening] ?? '')) {
    refuse(lines[opening] ?? '', opening, diagnostics);
    return undefined;
  }
  if (fence) {
    diagnostics.push(diagnose('frontmatter-fenced', { line: start + 1 }));
  }
  const first = opened ? opening + 1 : opening;
  const closing = lines.findIndex((line, index) => index >= first && delimiter.test(line));
  if (!opened && (closing < 0 || !allFields(lines.slice(first, closing)))) {
    diagnostics.push(diagnose('frontmatter-missing', { line: 1 }));
    return undefined;
  }
  if (!opened) {
    diagnostics.push(diagnose('frontmatter-unopened', { line: opening + 1 }));
  }
  if (closing >= 0) {
    return { first, end: closing, body: closing + 1, fence: fence?.[1], prose: [] };
  }
  const end = lastField(lines, first);
  diagnostics.push(diagnose('frontmatter-unclosed', { line: end + 1 }));
  return { first, end, body: end, fence: fence?.[1], prose: [] };
}

/** Maximum number of text lines before the frontmatter. */
const maxProseLines = 12;

/**
 * Frontmatter after some text: two lines of dashes with only fields between them, including a known
 * one.
 */
function findLate(lines: readonly string[], start: number): Frontmatter | undefined {
  const opening = lines
    .slice(start, start + maxProseLines)
    .findIndex((line) => delimiter.test(line));
  const first = start + opening + 1;
  const closing = lines.findIndex((line, index) => index >= first && delimiter.test(line));
  const inside = opening > 0 && closing > first ? lines.slice(first, closing) : [];
  const prose = lines.slice(start, first - 1);
  const isFrontmatter =
    inside.some((line) => /^(?:name|description):/.test(line)) &&
    allFields(inside) &&
    !prose.some((line) => field.test(line) || codeFence.test(line) || /^---/.test(line));
  return isFrontmatter
    ? { first, end: closing, body: closing + 1, fence: undefined, prose }
    : undefined;
}

/** Skips blank lines and HTML comments. */
function skipLeading(lines: readonly string[], diagnostics: Diagnostic[]): number {
  let line = 0;
  for (;;) {
    const text = lines[line]?.trim();
    if (text === '') {
      line += 1;
    } else if (text?.startsWith('<!--')) {
      let end = line;
      while (end < lines.length && !lines[end]?.includes('-->')) {
        end += 1;
      }
      if (end === lines.length) {
        break;
      }
      line = end + 1;
    } else {
      break;
    }
  }
  const found = delimiter.test(lines[line] ?? '') || field.test(lines[line] ?? '');
  if (line > 0 && found) {
    diagnostics.push(diagnose('frontmatter-late', { line: 1 }));
  }
  return line;
}

function refuse(text: string, line: number, diagnostics: Diagnostic[]): void {
  const language = /^---[ \t]*([A-Za-z]\w*)/.exec(text)?.[1];
  diagnostics.push(
    language
      ? diagnose('frontmatter-engine-refused', {
          text: 'frontmatter-engine-named',
          values: { language },
          line: line + 1,
        })
      : diagnose('frontmatter-missing', { line: 1 }),
  );
}

/** Without an opening line, only lines that cannot be prose are accepted. */
function allFields(lines: readonly string[]): boolean {
  return lines.every((line) => line === '' || /^[ \t#-]/.test(line) || field.test(line));
}

/** The line after the last field. */
function lastField(lines: readonly string[], first: number): number {
  const end = lines.findIndex(
    (line, index) =>
      index >= first && !(field.test(line) || /^[ \t]+\S/.test(line) || /^- /.test(line)),
  );
  return end < 0 ? lines.length : end;
}
