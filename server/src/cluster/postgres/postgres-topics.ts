import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../storage/open-database.ts';
import type { Cluster } from '../cluster.ts';

interface Listener {
  hear: (message: string) => void;
  missed: () => void;
}

interface PostgresTopics extends Pick<Cluster, 'publish' | 'subscribe'> {
  /** What the database says on the channel. */
  take(payload: string): void;
  /** To be called when something said there may not have been heard. */
  missed(): void;
}

export const channel = 'knowhow';

const payloadSchema = z.tuple([z.string(), z.string(), z.string()]);

/** Messages by NOTIFY. This node's own are heard at once, and once. */
export function postgresTopics(database: Database, node: string): PostgresTopics {
  const topics = new Map<string, Set<Listener>>();
  const tell = (topic: string, message: string) => {
    for (const { hear } of topics.get(topic) ?? []) {
      hear(message);
    }
  };
  return {
    publish: async (topic, message) => {
      tell(topic, message);
      const payload = JSON.stringify([node, topic, message]);
      await sql`select pg_notify(${channel}, ${payload})`.execute(database);
    },
    subscribe: (topic, hear, missed = () => undefined) => {
      const listeners = topics.get(topic) ?? new Set();
      const own = { hear, missed };
      topics.set(topic, listeners.add(own));
      return () => {
        listeners.delete(own);
      };
    },
    take: (payload) => {
      const [from, topic, message] = payloadSchema.parse(JSON.parse(payload));
      if (from !== node) {
        tell(topic, message);
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
