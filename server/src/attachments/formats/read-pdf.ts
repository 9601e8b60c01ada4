import { getDocumentProxy } from 'unpdf';
import { DocumentFault, type DocumentText, TextParts } from '../document.ts';

/** The text of a PDF, page by page. Scripts in it are not run: only the text of pages is asked for. */
export async function readPdf(bytes: Uint8Array): Promise<DocumentText> {
  const pdf = await open(bytes);
  const parts = new TextParts();
  let hasText = false;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items
      .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      .join('');
    page.cleanup();
    hasText ||= text.trim() !== '';
    if (!parts.add(`Page ${number}`, text)) {
      break;
    }
  }
  if (!hasText) {
    throw new DocumentFault('empty');
  }
  return parts.finish('page', pdf.numPages);
}

async function open(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(bytes, { isEvalSupported: false, verbosity: 0 });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new DocumentFault(isLocked ? 'encrypted' : 'broken', error);
  }
}
