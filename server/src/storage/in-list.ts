import { type RawBuilder, sql } from 'kysely';

/** For `in`: however many there are, the statement is the same and compiled once. */
export function inList<Value extends string>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`(select value from json_each(${JSON.stringify(values)}))`;
}
