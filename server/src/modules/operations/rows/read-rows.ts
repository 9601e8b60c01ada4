import { createReadStream } from 'node:fs';
import { parseWith } from '@knowhow/shared/describe-issue';
import { issuesOf } from '@knowhow/shared/problem';
import type { z } from 'zod';
import { errorCode } from '../../../platform/lib/error-code.ts';
import type { BackupTable } from '../../../platform/storage/module-tables.ts';
import type { ReportIssue } from '../../skills/index.ts';
import { backupLimits } from '../backup-limits.ts';
import { dataPath } from '../backup-paths.ts';

const batchSize = 200;
const batchCharacters = 8_000_000;

/** Checks and counts the rows of a table; undefined if the backup lacks it. */
export async function countRows(
  file: string,
  table: BackupTable,
  report: ReportIssue,
): Promise<number | undefined> {
  let count = 0;
  const checkUnique = createUniquenessCheck(table);
  try {
    for await (const rows of readRows(file, table.row)) {
      for (const row of rows) {
        count += 1;
        checkUnique(row as Record<string, unknown>, count);
      }
    }
    return count;
  } catch (error) {
    if (error instanceof RowFault) {
      report(dataPath(table.name), { code: 'row', message: error.message });
    } else if (errorCode(error) !== 'ENOENT') {
      throw error;
    }
    return undefined;
  }
}

/** Creates a check that throws a `RowFault` if a unique column has a duplicate value. */
function createUniquenessCheck({
  unique,
}: BackupTable): (row: Record<string, unknown>, line: number) => void {
  const columns = unique.map((name) => ({ name, lines: new Map<unknown, number>() }));
  return (row, line) => {
    for (const { name, lines } of columns) {
      const value = row[name];
      if (value === null) {
        continue;
      }
      const other = lines.get(value);
      if (other !== undefined) {
        throw new RowFault(`Line ${line}, ${name}: "${value}" is in line ${other} already.`);
      }
      lines.set(value, line);
    }
  };
}

/** An issue with a row; the message names its line. */
export class RowFault extends Error {}

/** Yields the rows of a table in batches. Throws a `RowFault` at the first invalid one. */
export async function* readRows<Row>(file: string, schema: z.ZodType<Row>): AsyncGenerator<Row[]> {
  let number = 0;
  for await (const values of readValues(file)) {
    const first = number + 1;
    number += values.length;
    yield values.map((value, at) => checkRow(value, schema, first + at));
  }
}

/** Yields the values of a JSON lines file in batches. Throws a `RowFault` at the first line that is not JSON. */
export async function* readValues(file: string): AsyncGenerator<unknown[]> {
  let values: unknown[] = [];
  let number = 0;
  let characters = 0;
  for await (const line of readLines(file)) {
    number += 1;
    values.push(parseLine(line, number));
    characters += line.length;
    if (values.length >= batchSize || characters > batchCharacters) {
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

function checkRow<Row>(value: unknown, schema: z.ZodType<Row>, number: number): Row {
  const result = parseWith(schema, value);
  if (!result.success) {
    const [issue] = issuesOf(result.error);
    throw new RowFault(`Line ${number}, ${issue?.path}: ${issue?.message}`);
  }
  return result.data;
}

/** Holds at most one line and one chunk of the file in memory. */
async function* readLines(file: string): AsyncGenerator<string> {
  let current: string[] = [];
  let length = 0;
  for await (const piece of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...others] = piece.split('\n');
    current.push(first);
    length += first.length;
    for (const next of others) {
      yield current.join('');
      current = [next];
      length = next.length;
    }
    if (length > backupLimits.rowBytes) {
      throw new RowFault(`A row is longer than ${backupLimits.rowBytes} characters.`);
    }
  }
  if (length > 0) {
    yield current.join('');
  }
}
