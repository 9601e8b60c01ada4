import mammoth from 'mammoth';
import { decodeBytes } from '../../../platform/lib/decode-bytes.ts';
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
import { rewriteDocument } from './rewrite-docx.ts';
import { getXmlAttribute, scanXml } from './scan-xml.ts';

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
