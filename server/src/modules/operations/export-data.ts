import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { type DataTable, keyColumns } from './data-tables.ts';
import { exportContents, sentFiles } from './rows/file-rows.ts';

const batchSize = 200;

/** Yields the rows of a table as JSON lines, in batches ordered by key. */
export async function* exportTable(database: Database, table: DataTable): AsyncGenerator<string> {
  if (table === 'file_contents') {
    yield* exportContents(database);
    return;
  }
  for (let last: Row | undefined; ; ) {
    const rows = await loadRowsAfter(database, table, last);
    if (rows.length > 0) {
      yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
    last = rows.at(-1);
    if (rows.length < batchSize) {
      return;
    }
  }
}

type Row = Schema[DataTable];

async function loadRowsAfter(
  database: Database,
  table: DataTable,
  last: Row | undefined,
): Promise<Row[]> {
  // The compiler cannot infer the type of a table name that may be one of several.
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
  return query.limit(batchSize).execute();
}

function pair<Value>(values: readonly Value[]): [Value, Value] {
  return [values[0], values[1]] as [Value, Value];
}
