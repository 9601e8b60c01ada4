import type { ClientBase, Pool } from 'pg';

/** As many statements run at once; what waits for more holds up nothing else. */
const mostConnections = 10;
const connectMs = 5000;
const idleMs = 30_000;

/** Longer ones are ended by the database: nothing of a request takes as long. */
const statementMs = 30_000;
/** A transaction whose owner does nothing more gives back what it has locked. */
const idleInTransactionMs = 60_000;

/**
 * Connections to the database of that address. `pg` is loaded here, so that who has SQLite never does.
 *
 * @param limits of statements and transactions
 */
export async function openPool(url: string, limits: 'usual' | 'none' = 'usual'): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    ...connectionTo(url),
    max: mostConnections,
    idleTimeoutMillis: idleMs,
    types: { getTypeParser: typeParserOf(pg.types.getTypeParser) },
    // `pg-pool` waits for the promise, and hands no connection out that could not be prepared.
    onConnect: (client): unknown => prepare(client, limits),
  });
  // Who is using a connection that breaks is told by their statement; the pool makes another.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** What `pg` takes of an address: encrypted is always with a look at who answers, unless it says `no-verify`. */
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

/** Not with the connection itself, where a pooler such as PgBouncer refuses what it does not know. */
async function prepare(client: ClientBase, limits: 'usual' | 'none'): Promise<void> {
  const [statement, idle] = limits === 'none' ? [0, 0] : [statementMs, idleInTransactionMs];
  await client.query(`select set_config('statement_timeout', '${statement}', false),
    set_config('idle_in_transaction_session_timeout', '${idle}', false),
    set_config('timezone', 'UTC', false)`);
}

const oids = { bool: 16, bytea: 17, int8: 20, numeric: 1700 };

type TypeParserOf = typeof import('pg').types.getTypeParser;

/** Values as SQLite gives them: numbers, also for counts and sums; 1 for true; bytes as a buffer of their own. */
function typeParserOf(usual: TypeParserOf): TypeParserOf {
  const parsers = new Map<number, (value: string) => unknown>([
    [oids.bool, (value) => (value === 't' ? 1 : 0)],
    [oids.bytea, (value) => bytesOf(value)],
    [oids.int8, Number],
    [oids.numeric, Number],
  ]);
  return ((oid: number, format?: 'text') => parsers.get(oid) ?? usual(oid, format)) as TypeParserOf;
}

/** Of `\x` and two digits a byte. */
function bytesOf(text: string): ArrayBuffer {
  const bytes = new Uint8Array((text.length - 2) / 2);
  Buffer.from(bytes.buffer).write(text.slice(2), 'hex');
  return bytes.buffer;
}
