import { DocumentFault, type DocumentText, wholeText } from '../document.ts';

/** Text as it is: also CSV, Markdown, code. */
export function readPlain(bytes: Uint8Array): DocumentText {
  const text = decodeText(bytes).replaceAll('\0', '');
  if (text.trim() === '') {
    throw new DocumentFault('empty');
  }
  return wholeText(text.replaceAll('\r\n', '\n'));
}

/** @param named the encoding that the text names itself */
export function decodeText(bytes: Uint8Array, named?: string): string {
  for (const encoding of [markedBy(bytes), named, 'utf-8']) {
    try {
      if (encoding !== undefined) {
        return new TextDecoder(encoding, { fatal: true }).decode(bytes);
      }
    } catch {
      // It is another one.
    }
  }
  // What Windows wrote before: each byte is a character in it.
  return new TextDecoder('windows-1252').decode(bytes);
}

/** By the byte order mark that a text begins with. */
function markedBy([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le';
  }
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}
