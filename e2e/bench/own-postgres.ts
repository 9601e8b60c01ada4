import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';

const run = promisify(execFile);

/** The folder in which Debian-based systems install all versions. */
const versions = '/usr/lib/postgresql';

export interface OwnPostgres {
  /** URL of an empty database. */
  url: string;
  /** Runs a statement; returns the values of its rows, one line each. */
  execute(statement: string): Promise<string>;
  /** Restarts it, optionally like after a crash, with a downtime of `awayMs`. */
  restart(mode: 'fast' | 'immediate', awayMs?: number): Promise<void>;
  /** Fills its disk for `ms`. If it exits because of that, restarts it. */
  fillDisk(ms: number): Promise<void>;
  /** Kills it and promotes its replica after `awayMs`. */
  failOver(awayMs: number): Promise<void>;
  stop(): Promise<void>;
}

export type PostgresKind = 'plain' | 'small disk' | 'replica';

/** Enough for a database, its write-ahead log, and some minutes of chats. */
const smallDiskMiB = 320;
const walSizes = ['-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'];

/**
 * A PostgreSQL in a temporary folder, with an operator's durability settings. Throws if its package is not
 * installed or, for a small disk, if the user may not mount one.
 */
export async function startPostgres(kind: PostgresKind = 'plain'): Promise<OwnPostgres> {
  const bin = await findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'knowhow-faults-'));
  if (kind === 'small disk') {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${smallDiskMiB}m`, 'tmpfs', folder]);
  }
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  await run(...asUser(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust']));
  let server = await start();
  const replica = kind === 'replica' ? await startReplica(bin, folder) : undefined;

  async function start() {
    const options = ['-k', folder, '-c', 'listen_addresses=', '-c', 'max_connections=200'];
    const all = ['-D', data, ...options, ...walSizes];
    const [command, args] = asUser(join(bin, 'postgres'), all);
    const child = spawn(command, args, { stdio: 'ignore' });
    for (let left = 600; ; left -= 1) {
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
    url: replica?.url ?? `postgresql:///postgres?host=${folder}&user=postgres`,
    execute: async (statement) => {
      const options = ['-h', folder, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', '-Atc', statement];
      return (await run(join(bin, 'psql'), options)).stdout;
    },
    restart: async (mode, awayMs = 0) => {
      await end(mode);
      await wait(awayMs);
      server = await start();
    },
    fillDisk: async (ms) => {
      const filler = join(folder, 'filler');
      await writeFile(filler, '');
      await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k']).catch(() => undefined);
      await wait(ms);
      await rm(filler);
      if (server.exitCode !== null) {
        server = await start();
      }
    },
    failOver: async (awayMs) => {
      await end('immediate');
      await wait(awayMs);
      await replica?.promote();
    },
    stop: async () => {
      await replica?.stop();
      await (server.exitCode === null && end('immediate'));
      if (kind === 'small disk') {
        await run('umount', ['-l', folder]);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Replica {
  /** Address of a proxy that connects to the primary or, if that is down, to the replica. */
  url: string;
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** A synchronous streaming replica of the server whose socket is in `folder`. */
async function startReplica(bin: string, folder: string): Promise<Replica> {
  const sockets = await mkdtemp(join(tmpdir(), 'knowhow-replica-'));
  await chmod(sockets, 0o777);
  const data = join(sockets, 'data');
  const copy = ['-h', folder, '-U', 'postgres', '-D', data, '-R', '-X', 'stream', '-c', 'fast'];
  await run(...asUser(join(bin, 'pg_basebackup'), copy));
  const options = ['-k', sockets, '-c', 'listen_addresses=', '-c', 'max_connections=200'];
  const [command, args] = asUser(join(bin, 'postgres'), ['-D', data, ...options]);
  const server = spawn(command, args, { stdio: 'ignore' });
  const psql = (host: string, statement: string) =>
    run(join(bin, 'psql'), ['-h', host, '-U', 'postgres', '-Atc', statement]);
  const follows = "select count(*) from pg_stat_replication where state = 'streaming'";
  while ((await psql(folder, follows)).stdout.trim() === '0') {
    await wait(100);
  }
  await psql(folder, "alter system set synchronous_standby_names = '*'");
  await psql(folder, 'select pg_reload_conf()');
  const port = await freePort();
  const config = join(sockets, 'haproxy.cfg');
  await writeFile(config, proxyConfig(port, folder, sockets));
  const proxy = spawn('haproxy', ['-q', '-f', config], { stdio: 'ignore' });
  process.once('exit', () => proxy.kill('SIGKILL'));
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    promote: async () => {
      await psql(sockets, 'select pg_promote()');
    },
    stop: async () => {
      proxy.kill('SIGKILL');
      const exited = once(server, 'exit');
      await run(...asUser(join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate']));
      await exited;
      await rm(sockets, { recursive: true, force: true });
    },
  };
}

function proxyConfig(port: number, primary: string, replica: string): string {
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
  server primary unix@${primary}/.s.PGSQL.5432
  server replica unix@${replica}/.s.PGSQL.5432 backup
`;
}

async function findBinaries(): Promise<string> {
  const found = await readdir(versions).catch(() => []);
  const newest = found.map(Number).sort((a, b) => b - a)[0];
  if (newest === undefined) {
    throw new Error('PostgreSQL is not installed. Install the package postgresql, 15 or newer.');
  }
  return join(versions, String(newest), 'bin');
}

/** PostgreSQL refuses to run as root. */
function asUser(command: string, args: readonly string[]): [string, string[]] {
  return process.getuid?.() === 0
    ? ['runuser', ['-u', 'postgres', '--', command, ...args]]
    : [command, [...args]];
}
