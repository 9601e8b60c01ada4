import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { limitConcurrency } from '../../lib/limit-concurrency.ts';
import { DatabaseAway } from '../database-away.ts';
import { connectionTo } from './postgres-pool.ts';

/** A node's own connection, for what belongs to one: its locks, and what it is told. */
export interface NodeConnection {
  /** Throws `DatabaseAway` while there is none. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface Listening {
  channel: string;
  onMessage: (message: string) => void;
  /** Called when there is another connection in place of one that broke. */
  onBack: () => void;
}

const againMs = 500;
/** A database that does not answer for so long is away. */
const answerMs = 5000;

/** Connects, and connects again whenever that breaks, until it is closed. */
export async function openNodeConnection(
  url: string,
  { channel, onMessage, onBack }: Listening,
): Promise<NodeConnection> {
  const closing = new AbortController();
  const oneAtATime = limitConcurrency(1);
  const connectOnce = () => connect(url, channel, onMessage);
  let client: Client | undefined = await connectOnce();
  const keep = async () => {
    while (!closing.signal.aborted) {
      await (client && ended(client, closing.signal));
      client = undefined;
      while (!client && !closing.signal.aborted) {
        await wait(againMs, undefined, { signal: closing.signal }).catch(() => undefined);
        client = closing.signal.aborted ? undefined : await connectOnce().catch(() => undefined);
      }
      if (client) {
        onBack();
      }
    }
  };
  const kept = keep();
  return {
    query: <Row extends object>(text: string, values: unknown[] = []) =>
      oneAtATime(async () => {
        if (!client) {
          throw new DatabaseAway(undefined);
        }
        const used = client;
        try {
          return (await used.query<Row>(text, values)).rows;
        } catch (error) {
          // Nobody knows what becomes of what was asked: all that goes by this connection begins again.
          used.end().catch(() => undefined);
          throw new DatabaseAway(error);
        }
      }),
    close: async () => {
      const last = client;
      closing.abort();
      await kept;
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
    query_timeout: answerMs,
  });
  // Its end is what counts.
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

/** Resolves when the connection is over, or nobody needs it any more. */
function ended(client: Client, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', resolve);
    closing.addEventListener('abort', () => resolve(), { once: true });
  });
}
