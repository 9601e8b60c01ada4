import { type RawBuilder, sql } from 'kysely';

/**
 * A list for `in` whose statement is the same for any number of values, so that it is prepared
 * once.
 */
export function inList<Value extends string>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`(select value from json_each(${JSON.stringify(values)}))`;
}
