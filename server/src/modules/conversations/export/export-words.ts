import { findTexts, type ServerTexts } from '../../../platform/lib/locales.ts';

export type ExportWords = ServerTexts['export'];

/** Labels in an export. */
export function exportWords(language: string): ExportWords {
  return findTexts(language).export;
}
