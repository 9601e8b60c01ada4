import { createReadStream } from 'node:fs';
import { parseWith } from '@knowhow/shared/describe-issue';
import { issuesOf } from '@knowhow/shared/problem';
import type { Report } from '../../archives/unpack-faults.ts';
import { errorCode } from '../../lib/error-code.ts';
import type { Schema } from '../../storage/schema.ts';
import { backupLimits } from '../backup-limits.ts';
import { type DataTable, dataPath, rowSchemas, uniqueColumns } from '../data-tables.ts';

const rowsAtOnce = 200;
const charactersAtOnce = 8_000_000;

/** Checks the rows of a table, and counts them; undefined when the backup has no such table. */
export async function countRows(
  file: string,
  table: DataTable,
  report: Report,
): Promise<number | undefined> {
  let count = 0;
  const refuseTwice = eachOnce(table);
  try {
    for await (const rows of readRows(file, table)) {
      for (const row of rows) {
        count += 1;
        refuseTwice(row, count);
      }
    }
    return count;
  } catch (error) {
    if (error instanceof RowFault) {
      report(dataPath(table), { code: 'row', message: error.message });
    } else if (errorCode(error) !== 'ENOENT') {
      throw error;
    }
    return undefined;
  }
}

/** Throws a `RowFault` at a row that has what another one should have alone. */
function eachOnce<Table extends DataTable>(
  table: Table,
): (row: Schema[Table], line: number) => void {
  const columns = uniqueColumns[table].map((name) => ({ name, lines: new Map<unknown, number>() }));
  return (row, line) => {
    for (const { name, lines } of columns) {
      const value = row[name];
      if (value === null) {
        continue;
      }
      const other = lines.get(value);
      if (other !== undefined) {
        throw new RowFault(
          `Line ${line}, ${String(name)}: "${value}" is in line ${other} already.`,
        );
      }
      lines.set(value, line);
    }
  };
}

/** What is wrong with a row, as a sentence that names its line. */
export class RowFault extends Error {}

/** The rows of a table, some at a time. Throws a `RowFault` at the first that is not one. */
export async function* readRows<Table extends DataTable>(
  file: string,
  table: Table,
): AsyncGenerator<Schema[Table][]> {
  let number = 0;
  for await (const values of readValues(file)) {
    const first = number + 1;
    number += values.length;
    yield values.map((value, at) => checkRow(value, table, first + at));
  }
}

/** The values of the lines of a file, some at a time. Throws a `RowFault` at the first that is not JSON. */
export async function* readValues(file: string): AsyncGenerator<unknown[]> {
  let values: unknown[] = [];
  let number = 0;
  let characters = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    values.push(parseLine(line, number));
    characters += line.length;
    if (values.length >= rowsAtOnce || characters > charactersAtOnce) {
      yield values;
      values = [];
      characters = 0;
    }
  }
  if (values.length > 0) {
    yield values;
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new RowFault(`Line ${number} is not valid JSON.`);
  }
}

function checkRow<Table extends DataTable>(
  value: unknown,
  table: Table,
  number: number,
): Schema[Table] {
  const result = parseWith(rowSchemas[table], value);
  if (!result.success) {
    const [issue] = issuesOf(result.error);
    throw new RowFault(`Line ${number}, ${issue?.path}: ${issue?.message}`);
  }
  // The compiler does not see that each table's schema gives its own rows.
  return result.data as Schema[Table];
}

/** Never holds more than one line and a piece of the file. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let begun: string[] = [];
  let length = 0;
  for await (const piece of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...others] = piece.split('\n');
    begun.push(first);
    length += first.length;
    for (const next of others) {
      yield begun.join('');
      begun = [next];
      length = next.length;
    }
    if (length > backupLimits.rowBytes) {
      throw new RowFault(`A row is longer than ${backupLimits.rowBytes} characters.`);
    }
  }
  if (length > 0) {
    yield begun.join('');
  }
}
