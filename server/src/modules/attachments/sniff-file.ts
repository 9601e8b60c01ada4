import { detectWideEncoding } from '../../platform/lib/detect-encoding.ts';
import { detectMediaType } from '../../platform/lib/media-type.ts';
import type { DocumentFormat } from './document.ts';

/** The detected kind of an uploaded file. */
export type SniffedFile =
  | { kind: 'picture'; type: string }
  | { kind: 'text'; type: string; format: DocumentFormat }
  | { kind: 'locked' | 'unknown' };

const headBytes = 4096;
const plainText = 'text/plain; charset=utf-8';
const office = [
  ['word/', 'docx'],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
] as const;

/** Detects by magic bytes; the kind of text by its name. */
export function sniffFile(name: string, bytes: Buffer): SniffedFile {
  const head = bytes.subarray(0, headBytes);
  const picture = detectMediaType('picture.png', head);
  if (picture.kind === 'picture') {
    return { kind: 'picture', type: picture.type };
  }
  if (head.subarray(0, 1024).includes('%PDF-')) {
    return { kind: 'text', type: 'application/pdf', format: 'pdf' };
  }
  if (head.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) {
    const openDocument = openDocumentType(head);
    if (openDocument !== undefined) {
      return { kind: 'text', type: openDocument, format: 'odf' };
    }
    const format = office.find(([folder]) => bytes.includes(folder))?.[1];
    return format
      ? { kind: 'text', type: detectMediaType(`a.${format}`, head).type, format }
      : { kind: 'unknown' };
  }
  // Legacy Office files, and encrypted ones.
  if (head.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))) {
    return { kind: 'locked' };
  }
  if (head.subarray(0, 5).equals(Buffer.from('{\\rtf'))) {
    return { kind: 'text', type: 'application/rtf', format: 'rtf' };
  }
  const isMarked = /^(?:fffe|feff)/.test(head.subarray(0, 2).toString('hex'));
  const isWide = isMarked || detectWideEncoding(bytes) !== undefined;
  if (head.includes(0) && !isWide) {
    return { kind: 'unknown' };
  }
  return { kind: 'text', type: plainText, format: formatOf(name, head) };
}

/** OpenDocument files start with their uncompressed MIME type: OpenDocument 1.3, part 2, 3.3. */
function openDocumentType(head: Buffer): string | undefined {
  return /^mimetype(application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation))/.exec(
    head.toString('latin1', 30, 110),
  )?.[1];
}

function formatOf(name: string, head: Buffer): DocumentFormat {
  if (/\.x?html?$/i.test(name)) {
    return 'html';
  }
  if (/\.eml$/i.test(name)) {
    return 'email';
  }
  const isPage = /^\s*(?:<!doctype html|<html)/i.test(head.toString('latin1'));
  return isPage && !/\.[a-z0-9]+$/i.test(name) ? 'html' : 'plain';
}
