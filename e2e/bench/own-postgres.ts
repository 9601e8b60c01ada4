import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where Debian and its like put the versions. */
const versions = '/usr/lib/postgresql';

export interface OwnPostgres {
  /** Of an empty database. */
  url: string;
  /** Runs a statement; answers the values of its rows, a line each. */
  execute(statement: string): Promise<string>;
  /** As after a crash, if need be. */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

/** A PostgreSQL in a temporary folder, as durable as one of an operator. Throws where its package is not installed. */
export async function startPostgres(): Promise<OwnPostgres> {
  const bin = await findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'knowhow-faults-'));
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  await run(...asUser(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust']));
  let server = await start();

  async function start() {
    const options = ['-k', folder, '-c', 'listen_addresses=', '-c', 'max_connections=200'];
    const [command, args] = asUser(join(bin, 'postgres'), ['-D', data, ...options]);
    const child = spawn(command, args, { stdio: 'ignore' });
    for (let left = 100; ; left -= 1) {
      const [ask, asked] = [join(bin, 'pg_isready'), ['-h', folder]];
      if (
        await run(ask, asked).then(
          () => true,
          () => false,
        )
      ) {
        return child;
      }
      if (left === 0) {
        throw new Error('PostgreSQL did not start.');
      }
      await wait(100);
    }
  }

  async function end(mode: string) {
    const exited = once(server, 'exit');
    await run(...asUser(join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', mode]));
    await exited;
  }

  return {
    url: `postgresql:///postgres?host=${folder}&user=postgres`,
    execute: async (statement) => {
      const options = ['-h', folder, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', '-Atc', statement];
      return (await run(join(bin, 'psql'), options)).stdout;
    },
    restart: async (mode) => {
      await end(mode);
      server = await start();
    },
    stop: async () => {
      await end('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findBinaries(): Promise<string> {
  const found = await readdir(versions).catch(() => []);
  const newest = found.map(Number).sort((a, b) => b - a)[0];
  if (newest === undefined) {
    throw new Error('PostgreSQL is not here. Install the package postgresql, 15 or newer.');
  }
  return join(versions, String(newest), 'bin');
}

/** PostgreSQL refuses to run as root. */
function asUser(command: string, args: readonly string[]): [string, string[]] {
  return process.getuid?.() === 0
    ? ['runuser', ['-u', 'postgres', '--', command, ...args]]
    : [command, [...args]];
}
