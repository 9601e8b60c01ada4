import {
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  PostgresQueryCompiler,
} from 'kysely';
import { errorCode } from '../../lib/error-code.ts';
import { DatabaseAway } from '../database-away.ts';

/** PostgreSQL for what is written for SQLite, too. A connection that cannot be had or breaks is a `DatabaseAway`. */
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
    const connection = await watched(() => super.acquireConnection());
    if (!this.#watched.has(connection)) {
      this.#watched.add(connection);
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query) => watched(() => execute(query));
    }
    return connection;
  }
}

async function watched<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw isAway(error) ? new DatabaseAway(error) : error;
  }
}

/** Failed connections, too many of them, and what PostgreSQL says as it starts and stops. */
const away = /^(?:08|53300|57P0)/;

/** What PostgreSQL itself says has five characters for its code, none of which begins with E as EPIPE does; all else is of the connection. */
function isAway(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return !/^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) || away.test(code);
}

class PortableCompiler extends PostgresQueryCompiler {
  /** PostgreSQL's texts hold no NUL: there a sign says that something was. */
  protected override appendValue(parameter: unknown): void {
    super.appendValue(
      typeof parameter === 'string' ? parameter.replaceAll('\0', '\uFFFD') : parameter,
    );
  }
}
