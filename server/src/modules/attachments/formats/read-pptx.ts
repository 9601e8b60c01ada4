import { decodeBytes } from '@knowhow/shared/decode-bytes';
import { MarkdownTable } from '../../tools/index.ts';
import { DocumentError, type DocumentText, type ReadWarnings, TextParts } from '../document.ts';
import { readRelations } from './office-relations.ts';
import { textParts } from './office-xml.ts';
import { getXmlAttribute, getXmlCount, scanXml } from './scan-xml.ts';

const presentation = 'ppt/presentation.xml';

type Parts = ReadonlyMap<string, Uint8Array>;

/** The texts of slides in presentation order, with speaker notes. */
export function readPptx(bytes: Uint8Array): DocumentText {
  const files = textParts(bytes);
  const slides = slidePaths(files);
  if (slides.length === 0) {
    throw new DocumentError('broken');
  }
  const parts = new TextParts();
  for (const [index, path] of slides.entries()) {
    const slide = readSlide(files, path, parts.warnings);
    if (slide.isHidden) {
      parts.warnings.add('hidden', `Slide ${index + 1}`);
    }
    const text = [
      slide.isHidden ? '(hidden slide)' : '',
      slide.text,
      slide.diagrams,
      slide.notes === '' ? '' : `Notes: ${slide.notes}`,
    ];
    if (!parts.add(`Slide ${index + 1}`, text.filter(Boolean).join('\n\n'))) {
      break;
    }
  }
  return parts.finish('slide', slides.length);
}

function slidePaths(files: Parts): string[] {
  const targets = readRelations(files, presentation);
  const paths: string[] = [];
  const part = files.get(presentation);
  for (const piece of part ? scanXml(decodeBytes(part)) : []) {
    const isSlide = piece.kind === 'open' && piece.name === 'p:sldId';
    const path = isSlide ? targets.get(getXmlAttribute(piece, 'r:id') ?? '')?.path : undefined;
    if (path !== undefined) {
      paths.push(path);
    }
  }
  return paths;
}

function readSlide(files: Parts, path: string, warnings: ReadWarnings) {
  const relations = [...readRelations(files, path).values()];
  const related = (type: RegExp) =>
    relations.filter((relation) => type.test(relation.type)).map((relation) => relation.path);
  const textsOf = (type: RegExp) =>
    related(type)
      .map((part) => textOf(files.get(part)).text)
      .filter(Boolean)
      .join('\n');
  warnings.add('charts', undefined, related(/\/chart(?:Ex)?$/).length);
  warnings.add('pictures', undefined, related(/\/image$/).length);
  warnings.add('embedded', undefined, related(/\/(?:oleObject|package|video|audio)$/).length);
  const { text, isHidden } = textOf(files.get(path), warnings);
  return {
    text,
    isHidden,
    diagrams: textsOf(/\/diagramData$/),
    notes: textsOf(/\/notesSlide$/),
  };
}

/** Paragraphs as lines, tables as Markdown. */
function textOf(
  part: Uint8Array | undefined,
  warnings?: ReadWarnings,
): { text: string; isHidden: boolean } {
  const lines: string[] = [];
  let table: MarkdownTable | undefined;
  let cell: string[] | undefined;
  let span = { columns: 1, rows: 1 };
  let line = '';
  let isText = false;
  let isHidden = false;
  let fallbacks = 0;
  for (const piece of part ? scanXml(decodeBytes(part)) : []) {
    const { kind, name, value, isEmpty } = piece;
    const isOpen = kind === 'open';
    if (name === 'mc:Fallback' && !isEmpty) {
      fallbacks += isOpen ? 1 : -1;
    } else if (kind === 'text') {
      line += isText && fallbacks === 0 ? value : '';
    } else if (name === 'a:t' || name === 'm:t') {
      isText = isOpen && !isEmpty;
    } else if (name === 'a:br' && isOpen) {
      line += ' ';
    } else if (name === 'm:oMath' && isOpen) {
      warnings?.add('formulas');
    } else if (name === 'p:sld' && isOpen) {
      isHidden = /^(?:0|false)$/.test(getXmlAttribute(piece, 'show') ?? '');
    } else if (name === 'a:tbl') {
      lines.push(isOpen ? '' : `${table ?? ''}\n`);
      table = isOpen ? new MarkdownTable() : undefined;
    } else if (name === 'a:tr' && isOpen) {
      table?.addRow();
    } else if (name === 'a:tc' && isOpen) {
      const isCovered = /\b[hv]Merge=["'](?:1|true)/.test(value);
      cell = isCovered ? undefined : [];
      span = {
        columns: getXmlCount(piece, 'gridSpan', 100),
        rows: getXmlCount(piece, 'rowSpan', 10_000),
      };
    } else if (name === 'a:tc' && cell) {
      table?.addCell({ text: cell.join(' '), ...span });
      cell = undefined;
    } else if (name === 'a:p' && (kind === 'close' || isEmpty)) {
      if (line.trim() !== '') {
        (cell ?? lines).push(line);
      }
      line = '';
    }
  }
  return { text: lines.join('\n').trim(), isHidden };
}
