import { sql } from 'kysely';

/** PostgreSQL's current time in milliseconds since 1970, as SQL text; a node's clock may be wrong. */
export const nowText = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

export const now = sql.raw<number>(nowText);
