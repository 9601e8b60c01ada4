import readWorkbook from 'read-excel-file/universal';
import { packParts } from '../../archives/office-parts.ts';
import { DocumentFault, type DocumentText, TextParts } from '../document.ts';
import { textParts } from './office-xml.ts';

/** The sheets of a workbook, each as a table of Markdown. */
export async function readXlsx(bytes: Uint8Array): Promise<DocumentText> {
  const packed = packParts(textParts(bytes));
  const sheets = await readWorkbook(new Blob([packed as Uint8Array<ArrayBuffer>])).catch(
    (error: unknown) => {
      throw new DocumentFault('broken', error);
    },
  );
  const parts = new TextParts();
  for (const { sheet, data } of sheets) {
    if (!parts.add(`Sheet ${sheet}`, tableOf(data))) {
      break;
    }
  }
  return parts.finish('sheet', sheets.length);
}

function tableOf(rows: readonly (readonly unknown[])[]): string {
  const lines = rows
    .filter((row) => row.some((cell) => cell !== null && cell !== ''))
    .map((row) => `| ${row.map(written).join(' | ')} |`);
  const [head, ...rest] = lines;
  const columns = rows[0]?.length ?? 0;
  return head === undefined
    ? '(empty)'
    : [head, `|${' --- |'.repeat(columns)}`, ...rest].join('\n');
}

function written(cell: unknown): string {
  if (cell instanceof Date) {
    const iso = cell.toISOString();
    return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso;
  }
  return String(cell ?? '')
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replaceAll('|', '\\|');
}
