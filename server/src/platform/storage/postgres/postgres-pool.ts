import type { ClientBase, Pool } from 'pg';

/** Maximum number of concurrent statements; others are queued. */
const maxConnections = 10;
const connectMs = 5000;
const idleMs = 30_000;

/** Statement timeout: nothing in a request takes as long. */
const statementMs = 30_000;
/** Releases the locks of an idle transaction. */
const idleInTransactionMs = 60_000;

/**
 * A connection pool. Loads `pg` on demand, so that installations on SQLite never do.
 *
 * @param limits timeouts of statements and transactions
 */
export async function openPool(url: string, limits: 'usual' | 'none' = 'usual'): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    ...connectionTo(url),
    max: maxConnections,
    idleTimeoutMillis: idleMs,
    types: { getTypeParser: typeParserOf(pg.types.getTypeParser) },
    // `pg-pool` awaits the promise, and hands out no connection that could not be prepared.
    onConnect: (client): unknown => prepare(client, limits),
  });
  // A broken connection rejects the statement in progress; the pool opens another.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Options for `pg`. Encrypted connections always verify the certificate, unless the URL has
 * `no-verify`.
 */
export function connectionTo(url: string) {
  const address = new URL(url);
  const mode = address.searchParams.get('sslmode') ?? '';
  if (['prefer', 'require', 'verify-ca'].includes(mode)) {
    address.searchParams.set('sslmode', 'verify-full');
  }
  return {
    connectionString: address.href,
    fallback_application_name: 'knowhow',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  };
}

/** Not as startup parameters, because poolers such as PgBouncer reject unknown ones. */
async function prepare(client: ClientBase, limits: 'usual' | 'none'): Promise<void> {
  const [statement, idle] = limits === 'none' ? [0, 0] : [statementMs, idleInTransactionMs];
  await client.query(`select set_config('statement_timeout', '${statement}', false),
    set_config('idle_in_transaction_session_timeout', '${idle}', false),
    set_config('timezone', 'UTC', false)`);
}

const oids = { bool: 16, bytea: 17, int8: 20, numeric: 1700 };

type TypeParserOf = typeof import('pg').types.getTypeParser;

/**
 * Returns values like SQLite does: numbers, also for counts and sums; 1 for true; bytes as a
 * separate buffer.
 */
function typeParserOf(usual: TypeParserOf): TypeParserOf {
  const parsers = new Map<number, (value: string) => unknown>([
    [oids.bool, (value) => (value === 't' ? 1 : 0)],
    [oids.bytea, (value) => bytesOf(value)],
    [oids.int8, Number],
    [oids.numeric, Number],
  ]);
  return ((oid: number, format?: 'text') => parsers.get(oid) ?? usual(oid, format)) as TypeParserOf;
}

/** Decodes `\x` and two hex digits per byte. */
function bytesOf(text: string): ArrayBuffer {
  const bytes = new Uint8Array((text.length - 2) / 2);
  Buffer.from(bytes.buffer).write(text.slice(2), 'hex');
  return bytes.buffer;
}
