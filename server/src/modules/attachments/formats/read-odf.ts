import { decodeBytes } from '@knowhow/shared/decode-bytes';
import {
  DocumentError,
  type DocumentText,
  ReadWarnings,
  requireText,
  TextParts,
  wholeText,
} from '../document.ts';
import { textParts } from './office-xml.ts';
import { htmlToMarkdown } from './read-html.ts';
import { escapeText, getXmlAttribute, getXmlCount, scanXml, type XmlPiece } from './scan-xml.ts';

const dataTables = { hasLayoutTables: false };

/**
 * The text of an OpenDocument file: text documents as a whole, spreadsheets by sheet, presentations
 * by slide.
 */
export function readOdf(bytes: Uint8Array): DocumentText {
  const files = textParts(bytes);
  const content = files.get('content.xml');
  if (!content) {
    throw new DocumentError('broken');
  }
  const manifest = files.get('META-INF/manifest.xml');
  if (manifest && decodeBytes(manifest).includes('encryption-data')) {
    throw new DocumentError('encrypted');
  }
  const xml = decodeBytes(content);
  const kind = /<office:(spreadsheet|presentation)\b/.exec(xml)?.[1];
  if (kind === undefined) {
    const warnings = new ReadWarnings();
    const [html = ''] = toHtml(xml, undefined, warnings).map((part) => part.html);
    return wholeText(requireText(htmlToMarkdown(html, dataTables)), warnings);
  }
  const parts = new TextParts();
  const isSheets = kind === 'spreadsheet';
  const found = toHtml(xml, isSheets ? 'table:table' : 'draw:page', parts.warnings);
  for (const [index, { name, html }] of found.entries()) {
    const title = isSheets ? `Sheet ${name}` : `Slide ${index + 1}`;
    if (!parts.add(title, htmlToMarkdown(html, dataTables) || '(empty)')) {
      break;
    }
  }
  return parts.finish(isSheets ? 'sheet' : 'slide', found.length);
}

const elements: Readonly<Record<string, string>> = {
  'text:p': 'p',
  'text:list': 'ul',
  'text:list-item': 'li',
  'table:table': 'table',
  'table:table-row': 'tr',
};

/** Elements that are not part of the visible text. */
const skipped: ReadonlySet<string> = new Set([
  'text:tracked-changes',
  'office:forms',
  'svg:title',
  'svg:desc',
  'text:sequence-decls',
]);
const counted = {
  'draw:image': 'pictures',
  'draw:object-ole': 'embedded',
  'text:change': 'deletions',
  'math:math': 'formulas',
} as const;
/** Limit for repeated and empty cells. */
const maxRepeated = 100;
const maxColumns = 16_384;

/** @param part the element that starts a separate text; undefined for one text */
function toHtml(
  xml: string,
  part: string | undefined,
  warnings: ReadWarnings,
): { name: string; html: string }[] {
  const found: { name: string; out: string[] }[] = [];
  let out: string[] = [];
  let depth = 0;
  let skipping: { name: string; open: number } | undefined;
  let repeated = 1;
  if (part === undefined) {
    found.push({ name: '', out });
  }
  for (const piece of scanXml(xml)) {
    const { kind, name, value, isEmpty } = piece;
    if (skipping) {
      if (name === skipping.name && !isEmpty) {
        skipping.open += kind === 'open' ? 1 : -1;
        skipping = skipping.open === 0 ? undefined : skipping;
      }
      continue;
    }
    if (kind === 'text') {
      out.push(escapeText(value));
      continue;
    }
    if (kind === 'open' && skipped.has(name)) {
      skipping = isEmpty ? undefined : { name, open: 1 };
      continue;
    }
    if (kind === 'open' && name in counted) {
      warnings.add(counted[name as keyof typeof counted]);
    }
    if (name === part && !isEmpty) {
      depth += kind === 'open' ? 1 : -1;
      if (kind === 'open' && depth === 1) {
        out = [];
        const title = getXmlAttribute(piece, part.replace(/:.*/, ':name')) ?? '';
        found.push({ name: title, out });
      }
    }
    if (/^table:(?:covered-)?table-cell$/.test(name)) {
      repeated = kind === 'open' ? repeatedOf(piece) : repeated;
      out.push(cellTag(piece, repeated));
    } else {
      out.push(tagFor(piece));
    }
  }
  return found.map(({ name, out: pieces }) => ({ name, html: pieces.join('') }));
}

function repeatedOf(piece: XmlPiece): number {
  const count = getXmlCount(piece, 'table:number-columns-repeated', maxColumns);
  // Sheets end with thousands of empty cells.
  return count > maxRepeated ? 1 : count;
}

function cellTag(piece: XmlPiece, repeated: number): string {
  const { kind, name, isEmpty } = piece;
  if (name === 'table:covered-table-cell') {
    // Already spanned by the covering cell.
    return '';
  }
  const columns = getXmlCount(piece, 'table:number-columns-spanned', maxColumns);
  const rows = getXmlCount(piece, 'table:number-rows-spanned', maxColumns);
  if (kind === 'close') {
    return '</td>';
  }
  const empty = '<td></td>'.repeat(repeated - 1);
  return `${empty}<td colspan="${columns}" rowspan="${rows}">${isEmpty ? '</td>' : ''}`;
}

function tagFor(piece: XmlPiece): string {
  const { kind, name, isEmpty } = piece;
  if (name === 'text:h') {
    const level = getXmlCount(piece, 'text:outline-level', 6);
    return kind === 'open' ? `<h${level}>${isEmpty ? `</h${level}>` : ''}` : '</h1>';
  }
  if (name === 'text:s' && kind === 'open') {
    return ' '.repeat(getXmlCount(piece, 'text:c', maxRepeated));
  }
  if ((name === 'text:tab' || name === 'text:line-break') && kind === 'open') {
    return name === 'text:tab' ? ' ' : '<br>';
  }
  if (name === 'office:annotation') {
    return kind === 'open' ? ' [Comment: ' : '] ';
  }
  const element = elements[name];
  if (element === undefined) {
    return '';
  }
  return kind === 'open' ? `<${element}>${isEmpty ? `</${element}>` : ''}` : `</${element}>`;
}
