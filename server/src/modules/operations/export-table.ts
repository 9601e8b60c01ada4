import { type Kysely, sql } from 'kysely';
import type { BackupTable } from '../../platform/storage/module-tables.ts';
import type { Database } from '../../platform/storage/open-database.ts';

const batchSize = 200;

type Row = Record<string, unknown>;
/** The compiler cannot infer the type of a table name that may be one of several. */
type AnyTable = Kysely<Record<string, Row>>;

/** Yields the rows of a table as JSON lines, in batches ordered by key. */
export async function* exportTable(database: Database, table: BackupTable): AsyncGenerator<string> {
  if (table.exportRows) {
    yield* table.exportRows(database);
    return;
  }
  for (let last: Row | undefined; ; ) {
    const rows = await loadRowsAfter(database as unknown as AnyTable, table, last);
    if (rows.length > 0) {
      yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
    last = rows.at(-1);
    if (rows.length < batchSize) {
      return;
    }
  }
}

async function loadRowsAfter(
  database: AnyTable,
  { name, key, exportedIf = [] }: BackupTable,
  last: Row | undefined,
): Promise<Row[]> {
  let query = database.selectFrom(name).selectAll();
  for (const column of exportedIf) {
    query = query.where(column, 'is not', null);
  }
  for (const column of key) {
    query = query.orderBy(column);
  }
  if (last) {
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const values = sql.join(key.map((column) => last[column]));
    query = query.where(sql<boolean>`(${columns}) > (${values})`);
  }
  return query.limit(batchSize).execute();
}
