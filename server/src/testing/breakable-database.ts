import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { onTestFinished } from 'vitest';

export interface BreakableDatabase {
  /** URL of the same database through this proxy. */
  url: string;
  /** Drops all connections and rejects new ones. */
  cut(): void;
  /** Number of rejected connections. */
  refused(): number;
  reconnect(): void;
  /** Keeps connections open but forwards nothing, like a hanging process, or resumes. */
  hang(isHanging: boolean): void;
}

/** A TCP proxy to PostgreSQL that can be cut, to simulate a restart or failover. */
export async function breakableDatabase(url: string): Promise<BreakableDatabase> {
  const address = new URL(url);
  const folder = address.searchParams.get('host');
  const target = folder
    ? { path: `${folder}/.s.PGSQL.5432` }
    : { host: address.hostname, port: Number(address.port || 5432) };
  const open = new Set<Socket>();
  let isCut = false;
  let refused = 0;
  const proxy = createServer((client) => {
    if (isCut) {
      refused += 1;
      client.destroy();
      return;
    }
    const server = connect(target);
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    }
    pipeline(client, server, client).catch(() => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const bound = proxy.address();
  address.searchParams.delete('host');
  address.searchParams.set('host', '127.0.0.1');
  address.searchParams.set('port', String(typeof bound === 'object' ? bound?.port : ''));
  return {
    url: address.href,
    cut: () => {
      isCut = true;
      for (const socket of open) {
        socket.destroy();
      }
    },
    refused: () => refused,
    reconnect: () => {
      isCut = false;
    },
    hang: (isHanging) => {
      for (const socket of open) {
        isHanging ? socket.pause() : socket.resume();
      }
    },
  };
}
