import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** The folder in which Debian-based systems install all versions. */
const versions = '/usr/lib/postgresql';
/** No durability needed. */
const settings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=400',
  'listen_addresses=',
];

interface RunningPostgres {
  /** URL of its database `postgres`. */
  url: string;
  /** Stops it like an operator, and starts it again. */
  halt(): Promise<void>;
  goOn(): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/** A PostgreSQL from system packages, in a temporary folder. */
export async function runPostgres(): Promise<RunningPostgres> {
  const bin = await findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'knowhow-postgres-'));
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  // A locale-aware collation, to prove that code point order does not depend on it.
  const language = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'];
  await run(
    ...asUser(join(bin, 'initdb'), [
      ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      ...language,
    ]),
  );
  const options = settings.flatMap((setting) => ['-c', setting]);
  const [command, args] = asUser(join(bin, 'postgres'), ['-D', data, '-k', folder, ...options]);
  const url = `postgresql:///postgres?host=${folder}&user=postgres`;
  const start = async () => {
    const started = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore'] });
    await whenReady(url);
    return started;
  };
  let server = await start();
  // Even if the run is interrupted.
  process.once('exit', () => server.kill('SIGTERM'));
  const end = async (mode: 'fast' | 'immediate') => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    await run(...asUser(join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', mode]));
    await ended;
  };
  return {
    url,
    halt: () => end('fast'),
    goOn: async () => {
      server = await start();
    },
    stop: async () => {
      // It may be stopped already.
      await end('immediate').catch(() => undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function findBinaries(): Promise<string> {
  const found = await readdir(versions).catch(() => []);
  const newest = found
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)[0];
  if (newest === undefined) {
    throw new Error(
      'NOT TESTED on PostgreSQL: not found. Install the package postgresql (15 or newer), or set TEST_DATABASE_URL.',
    );
  }
  return join(versions, String(newest), 'bin');
}

/** PostgreSQL refuses to run as root. */
function asUser(command: string, args: readonly string[]): [string, string[]] {
  return process.getuid?.() === 0
    ? ['runuser', ['-u', 'postgres', '--', command, ...args]]
    : [command, [...args]];
}

async function whenReady(url: string): Promise<void> {
  for (let left = 200; ; left -= 1) {
    try {
      await execute(url, 'select 1');
      return;
    } catch (error) {
      if (left === 0) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export async function execute(
  url: string,
  text: string,
): Promise<pg.QueryResult<{ name: string }>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<{ name: string }>(text);
  } finally {
    await client.end();
  }
}
