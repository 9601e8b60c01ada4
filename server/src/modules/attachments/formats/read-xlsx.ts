import { decodeBytes } from '@knowhow/shared/decode-bytes';
import { type DocumentText, type ReadWarnings, TextParts } from '../document.ts';
import { formatNumber } from './number-format.ts';
import { countParts, readRelations } from './office-relations.ts';
import { textParts } from './office-xml.ts';
import { localName, readWorkbook, type Workbook } from './read-workbook.ts';
import { getXmlAttribute, scanXml, type XmlPiece } from './scan-xml.ts';

type Parts = ReadonlyMap<string, Uint8Array>;

/** The sheets of a workbook as Markdown tables, with values as displayed. */
export function readXlsx(bytes: Uint8Array): DocumentText {
  const files = textParts(bytes);
  const workbook = readWorkbook(files);
  const parts = new TextParts();
  const { warnings } = parts;
  warnings.add(
    'charts',
    undefined,
    countParts(files, /^xl\/(?:charts\/chart\d*|chartsheets\/[^/]+)\.xml$/),
  );
  warnings.add('diagrams', undefined, countParts(files, /^xl\/diagrams\/data\d*\.xml$/));
  warnings.add('pictures', undefined, countPictures(files));
  for (const { name, path, isHidden } of workbook.sheets) {
    if (isHidden) {
      warnings.add('hidden', name);
    }
    const sheet = readSheet(files.get(path), { name, workbook, warnings });
    const notes = commentsOf(files, path);
    const text = [isHidden ? '(hidden sheet)' : '', tableOf(sheet), notes].filter(Boolean);
    if (!parts.add(`Sheet ${name}`, text.join('\n'))) {
      break;
    }
  }
  return parts.finish('sheet', workbook.sheets.length);
}

function countPictures(files: Parts): number {
  return [...files]
    .filter(([path]) => /^xl\/drawings\/drawing\d*\.xml$/.test(path))
    .reduce((sum, [, part]) => sum + (decodeBytes(part).match(/<xdr:pic[\s>]/g)?.length ?? 0), 0);
}

interface Sheet {
  /** Non-empty cells of each row, by column. */
  rows: { cells: Map<number, string>; isHidden: boolean }[];
  hiddenColumns: { from: number; to: number }[];
}

/** Above the limit of a document's text: reading stops there. */
const maxCharacters = 4_500_000;

/** With more columns, only those with values are written. */
const maxColumns = 200;

interface Reading {
  name: string;
  workbook: Workbook;
  warnings: ReadWarnings;
}

function readSheet(part: Uint8Array | undefined, reading: Reading): Sheet {
  const sheet: Sheet = { rows: [], hiddenColumns: [] };
  const reader = new CellReader(reading);
  let row: Sheet['rows'][number] = { cells: new Map(), isHidden: false };
  let characters = 0;
  for (const piece of part ? scanXml(decodeBytes(part)) : []) {
    const name = localName(piece.name);
    if (piece.kind === 'open' && name === 'row') {
      row = { cells: new Map(), isHidden: isTrue(getXmlAttribute(piece, 'hidden')) };
      sheet.rows.push(row);
    } else if (isHiddenColumn(piece, name) && sheet.hiddenColumns.length < maxColumns) {
      const from = Number(getXmlAttribute(piece, 'min')) - 1;
      sheet.hiddenColumns.push({ from, to: Number(getXmlAttribute(piece, 'max')) - 1 });
    } else {
      const cell = reader.take(piece, name);
      if (cell && cell.text !== '') {
        row.cells.set(cell.column, cell.text);
        characters += cell.text.length;
      }
    }
    if (characters > maxCharacters) {
      break;
    }
  }
  const hidden = sheet.rows.filter(({ cells, isHidden }) => isHidden && cells.size > 0).length;
  if (hidden > 0) {
    reading.warnings.add('hidden', `${reading.name}: ${hidden} rows`);
  }
  if (sheet.hiddenColumns.length > 0) {
    reading.warnings.add('hidden', `${reading.name}: columns`);
  }
  return sheet;
}

function isHiddenColumn(piece: XmlPiece, name: string): boolean {
  return piece.kind === 'open' && name === 'col' && isTrue(getXmlAttribute(piece, 'hidden'));
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Assembles cells from the XML pieces of a sheet. */
class CellReader {
  readonly #reading: Reading;
  #column = -1;
  #type = '';
  #style = 0;
  #value = '';
  #formula: string | undefined;
  #hasValue = false;
  #into: 'value' | 'formula' | undefined;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Returns the cell completed by this piece. */
  take(piece: XmlPiece, name: string): { column: number; text: string } | undefined {
    const { kind, value, isEmpty } = piece;
    if (kind === 'text') {
      if (this.#into === 'value') {
        this.#value += value;
      } else if (this.#into === 'formula') {
        this.#formula += value;
      }
      return undefined;
    }
    const isOpen = kind === 'open';
    switch (name) {
      case 'row':
        this.#column = -1;
        return undefined;
      case 'c':
        if (isOpen) {
          this.#begin(piece);
        }
        return isOpen && !isEmpty ? undefined : { column: this.#column, text: this.#text() };
      case 'v':
      case 't':
        this.#hasValue ||= isOpen && (!isEmpty || this.#type === 'str');
        this.#into = isOpen && !isEmpty ? 'value' : undefined;
        return undefined;
      case 'f':
        this.#formula = isOpen ? '' : this.#formula;
        this.#into = isOpen && !isEmpty ? 'formula' : undefined;
        return undefined;
      default:
        return undefined;
    }
  }

  #begin(piece: XmlPiece): void {
    const letters = /^[A-Z]{1,3}/.exec(getXmlAttribute(piece, 'r') ?? '')?.[0];
    this.#column = letters === undefined ? this.#column + 1 : columnOf(letters);
    this.#type = getXmlAttribute(piece, 't') ?? 'n';
    this.#style = Number(getXmlAttribute(piece, 's') ?? 0);
    this.#value = '';
    this.#formula = undefined;
    this.#hasValue = false;
    this.#into = undefined;
  }

  #text(): string {
    const { workbook, warnings, name } = this.#reading;
    const value = this.#value;
    const isCalculated = this.#type === 'str' ? this.#hasValue : value !== '';
    if (this.#formula !== undefined && !isCalculated) {
      warnings.add('uncalculated', name);
      return this.#formula === ''
        ? '(formula, not calculated)'
        : `=${this.#formula} (not calculated)`;
    }
    switch (this.#type) {
      case 's':
        return workbook.strings[Number(value)] ?? '';
      case 'b':
        return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value;
      case 'n': {
        const format = workbook.formats[this.#style];
        const number = value.trim() === '' ? Number.NaN : Number(value);
        return format && Number.isFinite(number)
          ? formatNumber(number, format, workbook.is1904)
          : Number.isFinite(number)
            ? String(number)
            : value;
      }
      default:
        return value;
    }
  }
}

/** Column number from letters, starting at 0. */
function columnOf(letters: string): number {
  let number = 0;
  for (const letter of letters) {
    number = number * 26 + letter.charCodeAt(0) - 64;
  }
  return number - 1;
}

function tableOf({ rows, hiddenColumns }: Sheet): string {
  const filled = rows.filter(({ cells }) => cells.size > 0);
  const used = [...new Set(filled.flatMap(({ cells }) => [...cells.keys()]))].sort(
    (one, other) => one - other,
  );
  const first = used[0] ?? 0;
  const last = used.at(-1) ?? 0;
  const columns =
    last - first < maxColumns
      ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
      : used;
  const isHidden = (column: number) =>
    hiddenColumns.some(({ from, to }) => column >= from && column <= to);
  const marked = columns.map((column) => (isHidden(column) ? '(hidden column) ' : ''));
  const lines: string[] = [];
  let characters = 0;
  for (const [index, { cells, isHidden: isHiddenRow }] of filled.entries()) {
    const texts = columns.map((column, at) => {
      const mark = `${isHiddenRow && at === 0 ? '(hidden row) ' : ''}${index === 0 ? marked[at] : ''}`;
      return mark + cellText(cells.get(column) ?? '');
    });
    const line = `| ${texts.join(' | ')} |`;
    lines.push(line);
    characters += line.length;
    if (characters > maxCharacters) {
      break;
    }
  }
  const [head, ...rest] = lines;
  return head === undefined
    ? '(empty)'
    : [head, `|${' --- |'.repeat(columns.length)}`, ...rest].join('\n');
}

function cellText(text: string): string {
  return text.replace(/(?<!\s)\s*[\r\n]\s*/g, ' ').replaceAll('|', '\\|');
}

/** Comments on the cells of a sheet. */
function commentsOf(files: Parts, path: string): string {
  const relation = [...readRelations(files, path).values()].find(({ type }) =>
    /\/comments$/.test(type),
  );
  const part = files.get(relation?.path ?? '');
  const comments: string[] = [];
  let at = '';
  let text = '';
  for (const piece of part ? scanXml(decodeBytes(part)) : []) {
    const name = localName(piece.name);
    if (piece.kind === 'text') {
      text += at === '' ? '' : piece.value;
    } else if (name === 'comment') {
      if (at !== '' && text.trim() !== '') {
        comments.push(`- Comment on ${at}: ${cellText(text.trim())}`);
      }
      at = piece.kind === 'open' ? (getXmlAttribute(piece, 'ref') ?? '') : '';
      text = '';
    }
  }
  return comments.length > 0 ? `\n${comments.join('\n')}` : '';
}
