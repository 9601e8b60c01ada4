import type { Database } from '../storage/open-database.ts';
import type { Schema } from '../storage/schema.ts';
import { type DataTable, keyColumns } from './data-tables.ts';
import { exportContents, sentFiles } from './rows/file-rows.ts';

const rowsAtOnce = 200;

/** The rows of a table as lines of JSON, some at a time, in the order of their keys. */
export async function* exportTable(database: Database, table: DataTable): AsyncGenerator<string> {
  if (table === 'file_contents') {
    yield* exportContents(database);
    return;
  }
  for (let last: Row | undefined; ; ) {
    const rows = await rowsAfter(database, table, last);
    if (rows.length > 0) {
      yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
    last = rows.at(-1);
    if (rows.length < rowsAtOnce) {
      return;
    }
  }
}

type Row = Schema[DataTable];

async function rowsAfter(
  database: Database,
  table: DataTable,
  last: Row | undefined,
): Promise<Row[]> {
  // The compiler does not follow a name that may be one of several tables'.
  const columns = keyColumns[table] as readonly 'id'[];
  const values = last as { id: string } | undefined;
  let query = database.selectFrom(table as 'users').selectAll();
  if (table === 'files') {
    const sent = sentFiles(database).select('id');
    query = query.where('id', 'in', sent);
  }
  for (const column of columns) {
    query = query.orderBy(column);
  }
  if (values) {
    query = query.where(({ eb, refTuple, tuple }) =>
      columns.length === 1
        ? eb(columns[0] ?? 'id', '>', values[columns[0] ?? 'id'])
        : eb(refTuple(...pair(columns)), '>', tuple(...pair(columns.map((name) => values[name])))),
    );
  }
  return query.limit(rowsAtOnce).execute();
}

function pair<Value>(values: readonly Value[]): [Value, Value] {
  return [values[0], values[1]] as [Value, Value];
}
