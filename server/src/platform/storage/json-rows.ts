import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { jsonArrayFrom as postgresRows } from 'kysely/helpers/postgres';
import { jsonArrayFrom as sqliteRows } from 'kysely/helpers/sqlite';
import { isPostgres } from './is-postgres.ts';

/** The rows of a subquery as text. */
export type JsonRows<Row> = string & { row?: Row };

/**
 * The rows of a subquery as one column, so that one statement reads several tables; read it with `parseRows`. The
 * query must name its columns, and they hold texts, numbers or null.
 */
export function jsonRows<Tables, Selected, Table extends keyof Selected, Row>(
  database: Kysely<Tables>,
  query: SelectQueryBuilder<Selected, Table, Row>,
): RawBuilder<JsonRows<Row>> {
  return isPostgres(database)
    ? sql<JsonRows<Row>>`${postgresRows(query)}::text`
    : sql<JsonRows<Row>>`${sqliteRows(query)}`;
}

export function parseRows<Row>(rows: JsonRows<Row>): Row[] {
  return JSON.parse(rows);
}
