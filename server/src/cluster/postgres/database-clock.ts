import { sql } from 'kysely';

/** Milliseconds since 1970 by the clock of PostgreSQL, as text for a statement: that of a node may be wrong. */
export const nowText = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

export const now = sql.raw<number>(nowText);
