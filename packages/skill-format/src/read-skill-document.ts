import { isUtf8 } from 'node:buffer';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import matter from 'gray-matter';
import { countCleanLines } from './count-clean-lines.ts';
import { decodeText } from './decode-text.ts';
import { diagnose } from './diagnostics.ts';
import { type Frontmatter, findFrontmatter } from './find-frontmatter.ts';
import type { Fields } from './parse-yaml.ts';
import { readPlainDocument } from './read-plain-document.ts';
import { parseYamlFields } from './yaml-fields.ts';

/** A parsed `SKILL.md`. Lines count from 1 in the file. */
export interface SkillDocument {
  fields: Fields;
  hasFrontmatter: boolean;
  /** The intended description that became a comment, because it begins with "#". */
  comment?: string | undefined;
  /** Decoded lazily. */
  readonly body: string;
  /** Upper bounds of the body, known without decoding it; set only if it is not empty. */
  bodyLimit?: { lines: number; length: number } | undefined;
  /** Line at which the body begins. */
  bodyLine: number;
  diagnostics: Diagnostic[];
}

/** A larger `SKILL.md` is not read. */
export const maxSkillFileBytes = 4 * 1024 * 1024;
export const maxFrontmatterLength = 64 * 1024;
/** A frontmatter that does not end within these characters is too long in any case. */
const headLength = 4 * maxFrontmatterLength;
/** Cannot occur in frontmatter by accident, so gray-matter splits where we found the end. */
const end = '--- end of frontmatter \u0001';

const opening = '---\n';
const closing = Buffer.from('\n---');
const lineEnd = 0x0a;
const blank = 0x20;
const dash = 0x2d;
const del = 0x7f;

/** Parses bytes to frontmatter and body. Never throws: issues are in `diagnostics`. */
export function readSkillDocument(bytes: Uint8Array): SkillDocument {
  const diagnostics: Diagnostic[] = [];
  if (bytes.length > maxSkillFileBytes) {
    diagnostics.push(diagnose('too-large'));
    return { ...nothing, fields: new Map(), diagnostics };
  }
  const clean = readCleanDocument(bytes);
  if (clean) {
    return clean;
  }
  const text = decodeText(bytes, diagnostics);
  if (text.trim() === '') {
    diagnostics.push(diagnose('unreadable', empty));
    return { ...nothing, fields: new Map(), diagnostics };
  }
  const plain = readPlainDocument(text);
  if (plain) {
    const { fields, end: bodyStart, bodyLine } = plain;
    const body = withoutLeadingLines(text.slice(bodyStart));
    return { fields, hasFrontmatter: true, body, bodyLine, diagnostics };
  }
  return readFixedDocument(text, diagnostics);
}

/** A fast path for bytes that need no repairs: decodes only the frontmatter. */
function readCleanDocument(bytes: Uint8Array): SkillDocument | undefined {
  const lines = bytes[0] === dash ? countCleanLines(bytes) : undefined;
  if (lines === undefined || !isUtf8(bytes)) {
    return undefined;
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decode = (start: number, end?: number) => buffer.toString('utf8', start, end);
  const lastLine = buffer.indexOf(closing, opening.length - 1);
  const lastEnd = buffer.indexOf(lineEnd, lastLine + closing.length);
  const head = buffer.toString('latin1', 0, lastEnd < 0 ? undefined : lastEnd + 1);
  const plain = readPlainDocument(head, decode);
  return (
    plain && {
      fields: plain.fields,
      hasFrontmatter: true,
      get body() {
        return withoutLeadingLines(decode(plain.end));
      },
      bodyLimit: isBlankAt(bytes, plain.end) ? undefined : { lines, length: bytes.length },
      bodyLine: plain.bodyLine,
      diagnostics: [],
    }
  );
}

/** Whether the first character after line ends may be white space or missing. */
function isBlankAt(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (bytes[at] === lineEnd) {
    at += 1;
  }
  const first = bytes[at] ?? blank;
  return first <= blank || first > del;
}

/** The slow path for any text: repairs it, and parses it with gray-matter and YAML. */
export function readFixedDocument(text: string, diagnostics: Diagnostic[]): SkillDocument {
  const lines = text.slice(0, headLength).split('\n');
  const found = findFrontmatter(lines, diagnostics);
  if (!found) {
    const body = withoutLeadingLines(text);
    const fields: Fields = new Map();
    return { fields, hasFrontmatter: false, body, bodyLine: 1, diagnostics };
  }
  const { fields, content } = splitDocument(text, { lines, found }, diagnostics);
  const bodyLine = found.body + 1;
  const body = withoutLeadingLines([...found.prose, bodyOf(content, found.fence)].join('\n'));
  const comment = readComment(lines, fields, diagnostics);
  const document = { fields, hasFrontmatter: true, comment, body, bodyLine, diagnostics };
  return withLinesWithin(document, lines.length);
}

const commented = /^["']?description["']?[ \t]*:[ \t]+(?:[^\s"'|>].*?[ \t])?#+[ \t]*(\S.*)$/;

/**
 * Finds a YAML comment on the line of the description: returns it if it is the whole value; reports
 * it if it is the end.
 */
function readComment(
  lines: readonly string[],
  fields: Fields,
  diagnostics: Diagnostic[],
): string | undefined {
  const { text, line = 0 } = fields.get('description') ?? {};
  const [, comment] = commented.exec(lines[line - 1] ?? '') ?? [];
  if (comment === undefined || text?.endsWith(comment.trimEnd())) {
    return undefined;
  }
  if (text !== undefined) {
    diagnostics.push(diagnose('yaml-comment', { line }));
    return undefined;
  }
  return comment.trimEnd();
}

const empty = { text: 'unreadable-empty', fix: 'write-skill' } as const;
const nothing = { hasFrontmatter: false, body: '', bodyLine: 1 };

/** Removes the closing line of a code fence. */
function bodyOf(content: string, fence: string | undefined): string {
  const body = withoutLeadingLines(content);
  const last = body.trimEnd().lastIndexOf('\n') + 1;
  return fence !== undefined && body.slice(last).trim() === fence ? body.slice(0, last) : body;
}

function withoutLeadingLines(text: string): string {
  return text.replace(/^\n+/, '');
}

/** Diagnostics about a missing end refer to the last line of the file. */
function withLinesWithin(document: SkillDocument, lines: number): SkillDocument {
  return {
    ...document,
    bodyLine: Math.min(document.bodyLine, lines),
    diagnostics: document.diagnostics.map((diagnostic) =>
      diagnostic.line === undefined
        ? diagnostic
        : { ...diagnostic, line: Math.min(diagnostic.line, lines) },
    ),
  };
}

/** Splits with gray-matter where we found the frontmatter; only our YAML engine is available. */
function splitDocument(
  text: string,
  { lines, found }: { lines: readonly string[]; found: Frontmatter },
  diagnostics: Diagnostic[],
): { fields: Fields; content: string } {
  const start = lines.slice(0, found.body).reduce((sum, line) => sum + line.length + 1, 0);
  const rest = text.slice(start);
  const frontmatter = lines.slice(found.first, found.end).join('\n');
  if (frontmatter.length > maxFrontmatterLength) {
    diagnostics.push(diagnose('frontmatter-too-long', { line: 1 }));
    return { fields: new Map(), content: rest };
  }
  const engine = { parse: () => parseYamlFields(frontmatter, found.first, diagnostics) };
  // With options, gray-matter uses no cache, so that callers never share a document.
  const { data, content } = matter(`---\n${withoutBlankLines(frontmatter)}\n${end}\n${rest}`, {
    language: 'yaml',
    delimiters: ['---', end],
    engines: { yaml: engine, ...refused },
  });
  // gray-matter skips the engine if there are only comments.
  return { fields: data instanceof Map ? data : new Map(), content };
}

/** gray-matter's search for comments takes quadratic time for a run of blank lines. */
function withoutBlankLines(text: string): string {
  return `\n${text}`.replace(/\n\s*\n/g, '\n');
}

function refuse(): never {
  throw new Error('Only YAML frontmatter is read.');
}

/**
 * gray-matter would evaluate `javascript` frontmatter (code injection): every other engine throws.
 */
const refused = Object.fromEntries(
  ['javascript', 'js', 'json', 'toml', 'coffee', 'coffeescript', 'cson'].map((language) => [
    language,
    { parse: refuse, stringify: refuse },
  ]),
);
