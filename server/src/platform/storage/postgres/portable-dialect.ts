import {
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  PostgresQueryCompiler,
} from 'kysely';
import { errorCode } from '../../lib/error-code.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';

/**
 * A PostgreSQL dialect for code written for SQLite. A failed or broken connection throws
 * `DatabaseUnavailable`.
 */
export class PortableDialect extends PostgresDialect {
  readonly #pool: PostgresDialectConfig['pool'];

  constructor(pool: PostgresDialectConfig['pool']) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new WatchedDriver({ pool: this.#pool });
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new PortableCompiler();
  }
}

class WatchedDriver extends PostgresDriver {
  readonly #watched = new WeakSet<DatabaseConnection>();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await withConnectionErrors(() => super.acquireConnection());
    if (!this.#watched.has(connection)) {
      this.#watched.add(connection);
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query) => withConnectionErrors(() => execute(query));
    }
    return connection;
  }
}

async function withConnectionErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw isAway(error) ? new DatabaseUnavailable(error) : error;
  }
}

/** Connection errors, too many connections, and messages while PostgreSQL starts or stops. */
const away = /^(?:08|53300|57P0)/;

/**
 * A SQLSTATE has five characters and no class starts with E; other codes, such as EPIPE, come from
 * the connection.
 */
function isAway(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return !/^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) || away.test(code);
}

class PortableCompiler extends PostgresQueryCompiler {
  /** PostgreSQL texts cannot contain NUL: it is replaced by U+FFFD. */
  protected override appendValue(parameter: unknown): void {
    super.appendValue(
      typeof parameter === 'string' ? parameter.replaceAll('\0', '\uFFFD') : parameter,
    );
  }
}
