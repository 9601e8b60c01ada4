import { plainMarkdown } from '../../tools/builtin/plain-markdown.ts';
import { charsetOfPage, parsePage } from '../../tools/builtin/readable-text.ts';
import { DocumentFault, type DocumentText, ReadWarnings, wholeText } from '../document.ts';
import { decodeText } from './read-plain.ts';

/** What people read of a page. */
export function readHtml(bytes: Uint8Array): DocumentText {
  const warnings = new ReadWarnings();
  const html = decodeText(bytes, warnings, charsetOfPage(bytes));
  warnings.add('pictures', undefined, countOpenings(html, /<img\b/gi));
  warnings.add('embedded', undefined, countOpenings(html, /<(?:iframe|object|embed)\b/gi));
  return wholeText(markdownOf(html, { hasLayoutTables: true }), warnings);
}

function countOpenings(html: string, opening: RegExp): number {
  return html.match(opening)?.length ?? 0;
}

/** HTML as Markdown, with the title of the page before. Throws a `DocumentFault` if it has no text. */
export function markdownOf(html: string, options: { hasLayoutTables: boolean }): string {
  const page = parsePage(html);
  const { title } = page;
  const text = plainMarkdown(page.body ?? page.documentElement, options);
  if (text === '') {
    throw new DocumentFault('empty');
  }
  return title ? `${title.trim()}\n\n${text}` : text;
}
