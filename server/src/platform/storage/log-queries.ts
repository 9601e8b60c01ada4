import type { Logger } from 'kysely';
import type { Log } from '../lib/log.ts';

/** Milliseconds from which a query is logged at `debug`; faster ones are logged at `trace`. */
const slowMs = 200;

/** Logs the statements of the database with their duration, and never their values. */
export function logQueries(log: Log): Logger {
  return ({ level, query, queryDurationMillis, ...event }) => {
    const line = { sql: query.sql, ms: Math.round(queryDurationMillis) };
    if (level === 'error' && 'error' in event) {
      log.debug({ ...line, error: event.error }, 'query failed');
    } else {
      log[queryDurationMillis >= slowMs ? 'debug' : 'trace'](line, 'query');
    }
  };
}
