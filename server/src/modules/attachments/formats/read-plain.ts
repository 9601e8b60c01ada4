import { detectAndDecode } from '../../../platform/lib/detect-encoding.ts';
import { DocumentError, type DocumentText, ReadWarnings, wholeText } from '../document.ts';

/** Plain text, including CSV, Markdown and code. */
export function readPlain(bytes: Uint8Array): DocumentText {
  const warnings = new ReadWarnings();
  const text = decodeText(bytes, warnings).replaceAll('\0', '');
  if (text.trim() === '') {
    throw new DocumentError('empty');
  }
  return wholeText(text.replaceAll('\r\n', '\n'), warnings);
}

/**
 * Decodes a text and warns if its encoding was guessed.
 *
 * @param named the encoding declared by the text
 */
export function decodeText(bytes: Uint8Array, warnings: ReadWarnings, named?: string): string {
  const { text, encoding, isGuessed } = detectAndDecode(bytes, named);
  if (isGuessed) {
    warnings.add('encoding', encoding);
  }
  return text;
}
