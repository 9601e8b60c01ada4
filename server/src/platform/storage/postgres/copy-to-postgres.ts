import { createHash } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import { sql } from 'kysely';
import { formatCount } from '../../lib/format-count.ts';
import { nodeTables } from '../node-tables.ts';
import type { Database } from '../open-database.ts';

/** Number of rows and an order-independent checksum of a table. */
export interface TableSum {
  table: string;
  rows: number;
  /** XOR of the SHA-256 of each row, in hex. */
  sum: string;
}

interface CopyOptions {
  from: Database;
  /** A PostgreSQL database with the same tables. */
  to: Database;
  onTable: (copied: TableSum) => void;
}

interface Table {
  name: string;
  columns: string[];
  key: string[];
  needs: string[];
  rowsAtOnce: number;
}

type Row = Record<string, unknown>;

/** Prefixes of tables that each installation creates for itself, or that a push fills. */
const notCopied = /^(?:kysely|search|content)_/;

const coordinating: ReadonlySet<string> = new Set(nodeTables);

/** Just below PostgreSQL's maximum number of parameters per statement. */
const maxParameters = 60_000;

/**
 * Copies all rows into an empty database in one transaction, and verifies what has arrived. Does
 * nothing if the database already has exactly these rows. Throws `conflict` if it has others.
 *
 * @returns whether anything was copied
 */
export async function copyToPostgres({ from, to, onTable }: CopyOptions): Promise<boolean> {
  const tables = sortByReferences(await readTables(to));
  const there = await Promise.all(tables.map((table) => isEmpty(to, table)));
  if (there.includes(false)) {
    await refuseOthers(tables, { from, to });
    return false;
  }
  await to.transaction().execute(async (transaction) => {
    for (const table of tables) {
      const read = await sumOf(from, table, (rows) => insert(transaction, table, rows));
      const arrived = await sumOf(transaction, table);
      if (read.rows !== arrived.rows || read.sum !== arrived.sum) {
        throw new Error(
          `${table.name} has arrived in another state: ${formatCount(arrived.rows, 'row')}.`,
        );
      }
      onTable(read);
    }
  });
  return true;
}

async function refuseOthers(
  tables: readonly Table[],
  { from, to }: Pick<CopyOptions, 'from' | 'to'>,
): Promise<void> {
  for (const table of tables) {
    const [one, other] = [await sumOf(from, table), await sumOf(to, table)];
    if (one.rows !== other.rows || one.sum !== other.sum) {
      throw problem(
        'conflict',
        `The database is not empty: its table ${table.name} has ${formatCount(other.rows, 'row')}, and other ones than the ${one.rows} here. Name an empty one.`,
      );
    }
  }
}

async function isEmpty(database: Database, { name }: Table): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(database);
  return rows.length === 0;
}

async function readTables(database: Database): Promise<Table[]> {
  const { rows } = await sql<Omit<Table, 'rowsAtOnce'> & { hasBytes: boolean }>`
    select c.relname as name,
      array(select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns,
      array(select a.attname::text from unnest(i.indkey) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number order by k.place) as key,
      array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid) as needs,
      exists (select 1 from pg_attribute where attrelid = c.oid and attnum > 0 and atttypid = 'bytea'::regtype)
        as "hasBytes"
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    order by c.relname`.execute(database);
  return rows
    .filter(({ name }) => !notCopied.test(name) && !coordinating.has(name))
    .map(({ hasBytes, ...table }) => ({
      ...table,
      rowsAtOnce: hasBytes ? 20 : Math.min(500, Math.floor(maxParameters / table.columns.length)),
    }));
}

/** Topological order: tables after those that they refer to. */
function sortByReferences(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  const remaining = new Set(tables);
  while (remaining.size > 0) {
    const names = new Set([...remaining].map(({ name }) => name));
    const next = [...remaining].filter(({ needs }) => !needs.some((need) => names.has(need)));
    if (next.length === 0) {
      throw new Error(`Tables that need each other: ${[...names].join(', ')}.`);
    }
    for (const table of next) {
      ordered.push(table);
      remaining.delete(table);
    }
  }
  return ordered;
}

/** Reads a table in the order of its key, and passes the rows on. */
async function sumOf(
  database: Database,
  table: Table,
  take: (rows: Row[]) => Promise<void> = async () => undefined,
): Promise<TableSum> {
  const sum = Buffer.alloc(32);
  let rows = 0;
  for (let last: Row | undefined; ; ) {
    const batch = await readAfter(database, table, last);
    for (const row of batch) {
      add(sum, row, table.columns);
    }
    rows += batch.length;
    last = batch.at(-1);
    if (!last) {
      return { table: table.name, rows, sum: sum.toString('hex') };
    }
    await take(batch);
  }
}

async function readAfter(
  database: Database,
  { name, columns, key, rowsAtOnce }: Table,
  last: Row | undefined,
): Promise<Row[]> {
  const keys = sql.join(key.map((column) => sql.ref(column)));
  const after = last
    ? sql`where (${keys}) > (${sql.join(key.map((column) => last[column]))})`
    : sql``;
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}
    ${after} order by ${keys} limit ${rowsAtOnce}`.execute(database);
  return rows;
}

async function insert(database: Database, table: Table, rows: Row[]): Promise<void> {
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  const values = rows.map(
    (row) => sql`(${sql.join(table.columns.map((column) => stored(row[column])))})`,
  );
  await sql`insert into ${sql.table(table.name)} (${columns}) values ${sql.join(values)}`.execute(
    database,
  );
}

function stored(value: unknown): unknown {
  return value instanceof ArrayBuffer ? Buffer.from(value) : value;
}

/** Numbers and bytes may have different types in the two databases. */
function add(sum: Buffer, row: Row, columns: readonly string[]): void {
  const hash = createHash('sha256');
  for (const column of columns) {
    const value = stored(row[column]);
    const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value ?? ''));
    hash.update(`${value === null ? 'null' : bytes.length}:`).update(bytes);
  }
  for (const [index, byte] of hash.digest().entries()) {
    sum[index] = (sum[index] ?? 0) ^ byte;
  }
}
