import { findCharset, parsePage, plainMarkdown } from '../../tools/index.ts';
import { type DocumentText, ReadWarnings, requireText, wholeText } from '../document.ts';
import { decodeText } from './read-plain.ts';

/** The visible text of an HTML page. */
export function readHtml(bytes: Uint8Array): DocumentText {
  const warnings = new ReadWarnings();
  const html = decodeText(bytes, warnings, findCharset(bytes));
  warnings.add('pictures', undefined, countOpenings(html, /<img\b/gi));
  warnings.add('embedded', undefined, countOpenings(html, /<(?:iframe|object|embed)\b/gi));
  return wholeText(requireText(htmlToMarkdown(html, { hasLayoutTables: true })), warnings);
}

function countOpenings(html: string, opening: RegExp): number {
  return html.match(opening)?.length ?? 0;
}

/** HTML as Markdown, preceded by the page title; empty for a page without text. */
export function htmlToMarkdown(html: string, options: { hasLayoutTables: boolean }): string {
  const page = parsePage(html);
  const { title } = page;
  const text = plainMarkdown(page.body ?? page.documentElement, options);
  return title && text !== '' ? `${title.trim()}\n\n${text}` : text;
}
