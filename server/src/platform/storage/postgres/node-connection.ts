import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { limitConcurrency } from '../../lib/limit-concurrency.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import { connectionTo } from './postgres-pool.ts';

/** A node's dedicated connection, for its locks and notifications. */
export interface NodeConnection {
  /** Throws `DatabaseUnavailable` while disconnected. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface Listening {
  channel: string;
  onMessage: (message: string) => void;
  /** Called when the connection breaks; perhaps more than once. */
  onLost: () => void;
  /** Called after a reconnect. */
  onBack: () => void;
}

const reconnectMs = 500;
/** Timeout after which the database counts as unavailable. */
const timeoutMs = 5000;

/** Connects, and reconnects whenever the connection breaks, until closed. */
export async function openNodeConnection(
  url: string,
  { channel, onMessage, onLost, onBack }: Listening,
): Promise<NodeConnection> {
  const closing = new AbortController();
  const serialize = limitConcurrency(1);
  const connectOnce = () => connect(url, channel, onMessage);
  let client: Client | undefined = await connectOnce();
  const keep = async () => {
    while (!closing.signal.aborted) {
      await (client && ended(client, closing.signal));
      client = undefined;
      onLost();
      while (!client && !closing.signal.aborted) {
        await wait(reconnectMs, undefined, { signal: closing.signal }).catch(() => undefined);
        client = closing.signal.aborted ? undefined : await connectOnce().catch(() => undefined);
      }
      if (client) {
        onBack();
      }
    }
  };
  const running = keep();
  return {
    query: <Row extends object>(text: string, values: unknown[] = []) =>
      serialize(async () => {
        if (!client) {
          throw new DatabaseUnavailable(undefined);
        }
        const used = client;
        try {
          return (await used.query<Row>(text, values)).rows;
        } catch (error) {
          // The outcome of the query is unknown: reset everything that uses this connection.
          onLost();
          used.end().catch(() => undefined);
          throw new DatabaseUnavailable(error);
        }
      }),
    close: async () => {
      const last = client;
      closing.abort();
      await running;
      await last?.end().catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}

async function connect(
  url: string,
  channel: string,
  onMessage: (message: string) => void,
): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    ...connectionTo(url),
    fallback_application_name: 'knowhow node',
    query_timeout: timeoutMs,
  });
  // Only the end of the connection matters.
  client.on('error', () => undefined);
  client.on('notification', ({ payload }) => onMessage(payload ?? ''));
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Resolves when the connection ends or is no longer needed. */
function ended(client: Client, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', resolve);
    closing.addEventListener('abort', () => resolve(), { once: true });
  });
}
