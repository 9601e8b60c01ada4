import { decodeBytes } from '@knowhow/shared/decode-bytes';
import { DocumentError } from '../document.ts';
import { type NumberFormat, parseNumberFormat } from './number-format.ts';
import { readRelations } from './office-relations.ts';
import { getXmlAttribute, scanXml } from './scan-xml.ts';

/** Sheet paths of a workbook, and its shared data. */
export interface Workbook {
  sheets: { name: string; path: string; isHidden: boolean }[];
  /** Whether it counts days from 1904. */
  is1904: boolean;
  strings: string[];
  /** By a cell's style index. */
  formats: NumberFormat[];
}

type Parts = ReadonlyMap<string, Uint8Array>;

/** An element's name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Reads a workbook except its sheets. Throws `DocumentError` if there is none. */
export function readWorkbook(parts: Parts): Workbook {
  const root = [...readRelations(parts, '').values()];
  const at = root.find(({ type }) => /\/officeDocument$/.test(type))?.path ?? 'xl/workbook.xml';
  const part = parts.get(at);
  if (!part) {
    throw new DocumentError('broken');
  }
  const relations = readRelations(parts, at);
  const partOf = (type: RegExp) =>
    parts.get([...relations.values()].find((relation) => type.test(relation.type))?.path ?? '');
  const workbook: Workbook = {
    sheets: [],
    is1904: false,
    strings: readStrings(partOf(/\/sharedStrings$/)),
    formats: readFormats(partOf(/\/styles$/)),
  };
  for (const piece of scanXml(decodeBytes(part))) {
    const name = piece.kind === 'open' ? localName(piece.name) : '';
    if (name === 'workbookPr') {
      workbook.is1904 = /^(?:1|true|on)$/.test(getXmlAttribute(piece, 'date1904') ?? '');
    } else if (name === 'sheet') {
      const id = /\s[\w.-]+:id=["']([^"']*)/.exec(piece.value)?.[1] ?? '';
      const relation = relations.get(id);
      const isSheet = relation !== undefined && /\/worksheet$/.test(relation.type);
      workbook.sheets.push({
        name: getXmlAttribute(piece, 'name') ?? '',
        path: isSheet ? relation.path : '',
        isHidden: /hidden/i.test(getXmlAttribute(piece, 'state') ?? ''),
      });
    }
  }
  return workbook;
}

/** Shared strings, without phonetic guides for Japanese. */
function readStrings(part: Uint8Array | undefined): string[] {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let pronunciations = 0;
  for (const { kind, name: qualified, value, isEmpty } of part ? scanXml(decodeBytes(part)) : []) {
    const name = localName(qualified);
    if (kind === 'text') {
      text += isText ? value : '';
    } else if (name === 'rPh' && !isEmpty) {
      pronunciations += kind === 'open' ? 1 : -1;
    } else if (name === 't') {
      isText = kind === 'open' && !isEmpty && pronunciations === 0;
    } else if (name === 'si' && (kind === 'close' || isEmpty)) {
      strings.push(text);
      text = '';
    }
  }
  return strings;
}

function readFormats(part: Uint8Array | undefined): NumberFormat[] {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let isInCells = false;
  for (const piece of part ? scanXml(decodeBytes(part)) : []) {
    const name = localName(piece.name);
    if (name === 'cellXfs') {
      isInCells = piece.kind === 'open';
    } else if (piece.kind === 'open' && name === 'numFmt') {
      codes.set(
        Number(getXmlAttribute(piece, 'numFmtId')),
        getXmlAttribute(piece, 'formatCode') ?? '',
      );
    } else if (piece.kind === 'open' && name === 'xf' && isInCells) {
      const id = Number(getXmlAttribute(piece, 'numFmtId') ?? 0);
      formats.push(parseNumberFormat(id, codes.get(id)));
    }
  }
  return formats;
}
