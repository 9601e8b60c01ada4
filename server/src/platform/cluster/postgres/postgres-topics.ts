import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../storage/open-database.ts';
import type { Cluster } from '../cluster.ts';

interface Listener {
  listen: (message: string) => void;
  missed: () => void;
}

interface PostgresTopics extends Pick<Cluster, 'publish' | 'subscribe'> {
  /** Handles a notification from the database. */
  take(payload: string): void;
  /** Call it when notifications may have been lost. */
  missed(): void;
}

export const channel = 'knowhow';

const payloadSchema = z.tuple([z.string(), z.string(), z.string()]);

/** Messages over NOTIFY. This node's own messages are delivered immediately, and once. */
export function postgresTopics(database: Database, node: string): PostgresTopics {
  const topics = new Map<string, Set<Listener>>();
  const deliver = (topic: string, message: string) => {
    for (const { listen } of topics.get(topic) ?? []) {
      listen(message);
    }
  };
  return {
    publish: async (topic, message) => {
      deliver(topic, message);
      const payload = JSON.stringify([node, topic, message]);
      await sql`select pg_notify(${channel}, ${payload})`.execute(database);
    },
    subscribe: (topic, listen, missed = () => undefined) => {
      const listeners = topics.get(topic) ?? new Set();
      const own = { listen, missed };
      topics.set(topic, listeners.add(own));
      return () => {
        listeners.delete(own);
      };
    },
    take: (payload) => {
      const [from, topic, message] = payloadSchema.parse(JSON.parse(payload));
      if (from !== node) {
        deliver(topic, message);
      }
    },
    missed: () => {
      for (const listeners of topics.values()) {
        for (const { missed } of listeners) {
          missed();
        }
      }
    },
  };
}
