import type { Attachment, ReadWarning, ReadWarningKind } from '@knowhow/shared/chat/attachments';
import { type FileFault, fileFaults } from '@knowhow/shared/skills/file-faults';
import type { TextMark } from '../conversations/index.ts';

/** Formats from which text is extracted. */
export const documentFormats = [
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'odf',
  'rtf',
  'html',
  'email',
  'plain',
] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/** The text of a document. */
export interface DocumentText {
  text: string;
  /** Start offsets of its pages, sheets or slides. */
  marks: TextMark[];
  parts?: Attachment['parts'];
  /** Whether it was truncated. */
  isCut: boolean;
  /** Content that was omitted or is uncertain. */
  warnings?: ReadWarning[];
}

/** Why no text could be extracted. */
export type DocumentErrorCode = Extract<
  FileFault,
  'broken' | 'encrypted' | 'empty' | 'too-large' | 'too-slow'
>;

export class DocumentError extends Error {
  readonly code: DocumentErrorCode;

  constructor(code: DocumentErrorCode, cause?: unknown) {
    super(fileFaults[code], { cause });
    this.code = code;
  }
}

const textLimits = {
  /** Maximum characters of one document. */
  characters: 4_000_000,
  /** Maximum pages, sheets or slides. */
  parts: 2000,
  /** Milliseconds after which extraction stops with the text so far. */
  enough: 15_000,
};

const maxNames = 20;
const maxNameLength = 100;

/** Counts what a reader omits from a document. */
export class ReadWarnings {
  readonly #found = new Map<ReadWarningKind, { count: number; names: string[] }>();

  /** @param name of an omitted item; only as many per kind are kept as a message shows */
  add(kind: ReadWarningKind, name?: string, count = 1): void {
    const known = this.#found.get(kind) ?? { count: 0, names: [] };
    known.count += count;
    if (name !== undefined && known.names.length < maxNames) {
      known.names.push(name.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').slice(0, maxNameLength));
    }
    if (known.count > 0) {
      this.#found.set(kind, known);
    }
  }

  list(): ReadWarning[] {
    return [...this.#found].map(([kind, { count, names }]) => ({
      kind,
      count,
      ...(names.length > 0 ? { names } : {}),
    }));
  }
}

/** Builds a text from parts with marks, within the limits. */
export class TextParts {
  readonly warnings = new ReadWarnings();
  readonly #chunks: string[] = [];
  readonly #marks: TextMark[] = [];
  readonly #deadline = performance.now() + textLimits.enough;
  #length = 0;
  #isCut = false;

  /** False once the limit is reached. */
  add(name: string, text: string): boolean {
    const chunk = `${this.#length > 0 ? '\n\n' : ''}[${name}]\n${text.trim()}`;
    const remaining = textLimits.characters - this.#length;
    this.#marks.push({ name, at: this.#length + (this.#length > 0 ? 2 : 0) });
    this.#chunks.push(chunk.slice(0, remaining));
    this.#length += Math.min(chunk.length, remaining);
    this.#isCut ||= chunk.length > remaining;
    const isFull = this.#marks.length >= textLimits.parts || performance.now() > this.#deadline;
    return !this.#isCut && !isFull;
  }

  /** @param count number of parts in the document */
  finish(kind: 'page' | 'sheet' | 'slide', count: number): DocumentText {
    return {
      text: this.#chunks.join(''),
      marks: this.#marks,
      parts: { kind, count },
      isCut: this.#isCut || this.#marks.length < count,
      warnings: this.warnings.list(),
    };
  }
}

/** Returns the text of a document. Throws `DocumentError` if it is empty. */
export function requireText(text: string): string {
  if (text === '') {
    throw new DocumentError('empty');
  }
  return text;
}

/** A text without parts. */
export function wholeText(text: string, warnings = new ReadWarnings()): DocumentText {
  const { characters } = textLimits;
  return {
    text: text.slice(0, characters),
    marks: [],
    isCut: text.length > characters,
    warnings: warnings.list(),
  };
}
