import { decodeBytes } from '@knowhow/shared/decode-bytes';
import mammoth from 'mammoth';
import { packParts } from '../../skills/index.ts';
import {
  DocumentError,
  type DocumentText,
  ReadWarnings,
  requireText,
  wholeText,
} from '../document.ts';
import { textParts } from './office-xml.ts';
import { htmlToMarkdown } from './read-html.ts';
import { escapeText, getXmlAttribute, getXmlCount, scanXml, type XmlPiece } from './scan-xml.ts';

/**
 * The text of a Word document as Markdown with headings, lists and tables, followed by headers,
 * footers and comments.
 */
export async function readDocx(bytes: Uint8Array): Promise<DocumentText> {
  const warnings = new ReadWarnings();
  const parts = textParts(bytes);
  for (const [name, part] of parts) {
    if (/^word\/(?:document\d*|footnotes|endnotes)\.xml$/.test(name)) {
      parts.set(name, Buffer.from(rewriteDocument(decodeBytes(part), warnings)));
    }
  }
  const packed = packParts(parts);
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const { value } = await mammoth
    .convertToHtml({ buffer }, { convertImage: noPictures })
    .catch((error: unknown) => {
      throw new DocumentError('broken', error);
    });
  const text = [
    value.trim() === '' ? '' : htmlToMarkdown(value, { hasLayoutTables: false }),
    ...sectionOf('Header', linesOf(parts, /^word\/header\d*\.xml$/)),
    ...sectionOf('Footer', linesOf(parts, /^word\/footer\d*\.xml$/)),
    ...sectionOf('Comments', commentsOf(parts.get('word/comments.xml'))),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  return wholeText(requireText(text), warnings);
}

const noPictures = mammoth.images.imgElement(async () => ({ src: '' }));

function sectionOf(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [`[${title}]\n${lines.join('\n')}`] : [];
}

/** Deduplicated paragraphs, since headers and footers repeat on pages. */
function linesOf(parts: ReadonlyMap<string, Uint8Array>, name: RegExp): string[] {
  const lines = [...parts]
    .filter(([path]) => name.test(path))
    .flatMap(([, part]) => [...paragraphsOf(decodeBytes(part))].map(({ text }) => text));
  return [...new Set(lines)];
}

function commentsOf(part: Uint8Array | undefined): string[] {
  return part
    ? [...paragraphsOf(decodeBytes(part))].map(({ author, text }) => `- ${author}: ${text}`)
    : [];
}

/** Non-empty paragraphs, with the author of the enclosing comment. */
function* paragraphsOf(xml: string): Generator<{ author: string; text: string }> {
  let author = '';
  let line = '';
  let isText = false;
  let fallbacks = 0;
  for (const piece of scanXml(xml)) {
    const { kind, name, value, isEmpty } = piece;
    if (name === 'mc:Fallback' && !isEmpty) {
      fallbacks += kind === 'open' ? 1 : -1;
    } else if (name === 'w:comment' && kind === 'open') {
      author = getXmlAttribute(piece, 'w:author') ?? '';
    } else if (name === 'w:t') {
      isText = kind === 'open' && !isEmpty && fallbacks === 0;
    } else if (name === 'w:tab' && kind === 'open') {
      line += ' ';
    } else if (kind === 'text' && isText) {
      line += value;
    } else if (name === 'w:p' && (kind === 'close' || isEmpty)) {
      if (line.trim() !== '') {
        yield { author, text: line.trim() };
      }
      line = '';
    }
  }
}

/** Maximum number of omitted cells at the start of a table row. */
const maxColumns = 100;

/**
 * Rewrites a Word document for a reader that only supports plain paragraphs and tables: text boxes
 * in older markup, formulas as text, and cells for omitted columns. Counts what is lost.
 */
function rewriteDocument(xml: string, warnings: ReadWarnings): string {
  const writer = new DocumentWriter(xml, warnings);
  for (const piece of scanXml(xml)) {
    writer.take(piece);
  }
  return writer.finish();
}

/**
 * How an element's content is handled: copied, dropped, reduced to its text boxes, or written as a
 * formula.
 */
type Mode = 'copy' | 'drop' | 'boxes' | 'formula';

class DocumentWriter {
  readonly #xml: string;
  readonly #warnings: ReadWarnings;
  readonly #out: string[] = [];
  /** Elements that changed the mode, with the number of open elements of the same name. */
  readonly #modes: { name: string; mode: Mode; open: number; after: string }[] = [];
  /** For each open `mc:AlternateContent`, whether a choice was used. */
  readonly #choices: boolean[] = [];
  #missingCells = 0;

  constructor(xml: string, warnings: ReadWarnings) {
    this.#xml = xml;
    this.#warnings = warnings;
  }

  take(piece: XmlPiece): void {
    const current = this.#modes.at(-1);
    if (current && piece.name === current.name && !piece.isEmpty) {
      current.open += piece.kind === 'open' ? 1 : -1;
      if (current.open === 0) {
        this.#modes.pop();
        this.#out.push(current.after);
        return;
      }
    }
    const mode = current?.mode ?? 'copy';
    if (mode === 'copy') {
      this.#copy(piece);
    } else if (mode === 'formula') {
      this.#addFormula(piece);
    } else if (mode === 'boxes' && piece.kind === 'open' && piece.name === 'w:txbxContent') {
      this.#out.push('<w:txbxContent>');
      this.#enter(piece, 'copy', '</w:txbxContent>');
    } else if (mode === 'boxes' && piece.kind === 'open') {
      this.#count(piece);
    }
  }

  finish(): string {
    return this.#out.join('');
  }

  #enter({ name, isEmpty }: XmlPiece, mode: Mode, after = ''): void {
    if (isEmpty) {
      this.#out.push(after);
    } else {
      this.#modes.push({ name, mode, open: 1, after });
    }
  }

  #copy(piece: XmlPiece): void {
    const { kind, name } = piece;
    switch (name) {
      case 'mc:AlternateContent':
        kind === 'open' ? this.#choices.push(false) : this.#choices.pop();
        return;
      case 'mc:Choice':
        if (kind === 'open' && this.#choices.at(-1)) {
          this.#enter(piece, 'drop');
        } else if (this.#choices.length > 0) {
          this.#choices[this.#choices.length - 1] = true;
        }
        return;
      case 'mc:Fallback':
        if (kind === 'open' && this.#choices.at(-1)) {
          this.#enter(piece, 'drop');
        }
        return;
      case 'w:drawing':
        this.#out.push('<w:pict>');
        this.#enter(piece, 'boxes', '</w:pict>');
        return;
      // Mammoth misses merged cells with bookmarks between rows, and formulas in their own
      // paragraph.
      case 'w:bookmarkStart':
      case 'w:bookmarkEnd':
      case 'w:proofErr':
      case 'm:oMathPara':
        return;
      case 'm:oMath':
        this.#warnings.add('formulas');
        this.#out.push('<w:r><w:t xml:space="preserve">');
        this.#enter(piece, 'formula', '</w:t></w:r>');
        return;
      case 'w:del':
        this.#countDeletion(piece);
        break;
      default:
        this.#completeRow(piece);
        this.#count(piece);
    }
    this.#out.push(this.#xml.slice(piece.start, piece.end));
    if (kind === 'close' && name === 'w:trPr') {
      this.#out.push('<w:tc><w:p/></w:tc>'.repeat(this.#missingCells));
      this.#missingCells = 0;
    }
  }

  #countDeletion({ kind, isEmpty }: XmlPiece): void {
    if (kind === 'open' && !isEmpty) {
      this.#warnings.add('deletions');
    }
  }

  #completeRow(piece: XmlPiece): void {
    if (piece.kind === 'open' && piece.name === 'w:gridBefore') {
      this.#missingCells = getXmlCount(piece, 'w:val', maxColumns);
    }
  }

  #count({ kind, name, value }: XmlPiece): void {
    if (kind !== 'open') {
      return;
    }
    if (name === 'pic:pic' || name === 'v:imagedata') {
      this.#warnings.add('pictures');
    } else if (name === 'c:chart' || name === 'cx:chart') {
      this.#warnings.add('charts');
    } else if (name === 'dgm:relIds') {
      this.#warnings.add('diagrams');
    } else if (name === 'o:OLEObject') {
      this.#warnings.add('embedded', getXmlAttribute({ value }, 'ProgID'));
    }
  }

  #addFormula({ kind, name, value, isEmpty }: XmlPiece): void {
    if (kind === 'text') {
      // Only text inside formulas matters; the rest is whitespace.
      this.#out.push(escapeText(value.trim() === '' ? '' : value));
    } else if (!isEmpty) {
      this.#out.push((kind === 'open' ? formulaStarts : formulaEnds)[name] ?? '');
    } else if (name === 'm:chr') {
      this.#out.push(escapeText(getXmlAttribute({ value }, 'm:val') ?? ''));
    }
  }
}

/** Inline notation of formulas. */
const formulaStarts: Readonly<Record<string, string>> = {
  'm:num': '(',
  'm:den': '/(',
  'm:sup': '^(',
  'm:sub': '_(',
  'm:rad': '√',
  'm:deg': '[',
  'm:d': '(',
  'm:mr': '[',
  'm:e': '',
};

const formulaEnds: Readonly<Record<string, string>> = {
  'm:num': ')',
  'm:den': ')',
  'm:sup': ')',
  'm:sub': ')',
  'm:deg': ']',
  'm:d': ')',
  'm:mr': ']',
};
