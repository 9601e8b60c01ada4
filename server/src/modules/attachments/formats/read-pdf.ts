import { getDocumentProxy } from 'unpdf';
import { readAsset } from '../../../platform/lib/read-asset.ts';
import { readParts } from '../../skills/index.ts';
import { DocumentError, type DocumentText, TextParts } from '../document.ts';

/** The text of a PDF, page by page. Only text is extracted; scripts are never executed. */
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
    const isEmpty = text.trim() === '';
    hasText ||= !isEmpty;
    if (isEmpty) {
      parts.warnings.add('empty-pages', String(number));
    }
    const pageText = isEmpty ? `[Page ${number}: no text, perhaps a scan]` : text;
    if (!parts.add(`Page ${number}`, pageText)) {
      break;
    }
  }
  if (!hasText) {
    throw new DocumentError('empty');
  }
  return parts.finish('page', pdf.numPages);
}

async function open(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(bytes, {
      isEvalSupported: false,
      verbosity: 0,
      // Many Chinese, Japanese and Korean PDFs reference character maps they do not embed.
      cMapUrl: 'cmaps/',
      cMapPacked: true,
      useWorkerFetch: false,
      BinaryDataFactory: CMapFactory,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new DocumentError(isLocked ? 'encrypted' : 'broken', error);
  }
}

const maxBytes = 4 * 1024 * 1024;

/**
 * Provides Adobe's predefined character maps to pdf.js, since many Chinese, Japanese and Korean
 * PDFs only reference them.
 */
class CMapFactory {
  /** Throws if the map does not exist. */
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const archive = await readAsset('pdf-cmaps.zip');
    const isWanted = (name: string) => kind === 'cMapUrl' && name === filename;
    const map = readParts(archive, isWanted, { maxBytes, maxParts: 1 }).get(filename);
    if (!map) {
      throw new Error(`There is no ${kind} named ${filename}.`);
    }
    return map;
  }
}
