import type { Cluster } from '../../platform/cluster/cluster.ts';
import { ignore } from '../../platform/lib/ignore.ts';
import type { Account } from './caller.ts';

/**
 * Accounts of sessions in use, so that a turn reads its session once. A revocation reaches all nodes through a
 * topic: see docs/decisions/0350-cache-sessions-until-a-revocation-arrives.md.
 */
export interface SessionCache {
  /** The cached account of a session, otherwise what `read` returns. Never caches that a session has ended. */
  find(
    sessionId: string,
    read: () => Promise<StoredSession | undefined>,
  ): Promise<Account | undefined>;
  /**
   * Forgets sessions on all nodes. Call it once a change that ends sessions or changes users is committed.
   *
   * @param ids of sessions, or of users for all their sessions
   */
  forget(ids: readonly string[]): Promise<void>;
  forgetAll(): Promise<void>;
  /**
   * Calls `listener` after each of these, on all nodes: with ids of users or sessions, or without if any may have
   * changed. Here it is awaited; it must not fail.
   */
  follow(listener: FollowUsers): void;
}

type FollowUsers = (ids?: readonly string[]) => Promise<void>;

export interface StoredSession {
  account: Account;
  /** ISO 8601. */
  expiresAt: string;
}

interface Entry extends StoredSession {
  /** On both clocks, in milliseconds: one may be set, the other stops while the machine sleeps. */
  readAt: { time: number; steady: number };
}

const topic = 'sessions';
const everything = '*';
/** Messages are limited to 8,000 bytes. */
const maxIdsPerMessage = 100;
const maxEntries = 10_000;
/** Time to live (TTL) of an entry: limits the effect of a change that was not announced, such as one by a command or a node that crashed. */
const maxAgeMs = 10_000;

export function createSessionCache(
  cluster: Pick<Cluster, 'publish' | 'subscribe' | 'isListening'>,
): SessionCache {
  const entries = new Map<string, Entry>();
  const followers: FollowUsers[] = [];
  let revocations = 0;
  const tell = async (message: string) => {
    const ids = message === everything ? undefined : message.split(' ');
    await Promise.all(followers.map((follow) => follow(ids)));
  };
  const drop = (message: string) => {
    revocations += 1;
    if (message === everything) {
      entries.clear();
      return;
    }
    const ids = new Set(message.split(' '));
    for (const [sessionId, { account }] of entries) {
      if (ids.has(sessionId) || ids.has(account.id)) {
        entries.delete(sessionId);
      }
    }
  };
  const hear = (message: string) => {
    drop(message);
    tell(message).catch(ignore);
  };
  cluster.subscribe(topic, hear, () => hear(everything));
  const announce = async (message: string) => {
    drop(message);
    // If it does not reach other nodes, their entries expire.
    await cluster.publish(topic, message).catch(ignore);
    await tell(message);
  };
  return {
    find: async (sessionId, read) => {
      const known = cluster.isListening() ? entries.get(sessionId) : undefined;
      if (known && isValid(known)) {
        return known.account;
      }
      entries.delete(sessionId);
      const before = revocations;
      const readAt = { time: Date.now(), steady: performance.now() };
      const found = await read();
      // A revocation during the read may concern this session.
      if (found && before === revocations && cluster.isListening()) {
        makeRoom(entries);
        entries.set(sessionId, { ...found, readAt });
      }
      return found?.account;
    },
    forget: async (ids) => {
      if (ids.length > 0) {
        await announce(ids.length > maxIdsPerMessage ? everything : ids.join(' '));
      }
    },
    forgetAll: () => announce(everything),
    follow: (listener) => {
      followers.push(listener);
    },
  };
}

/** For commands, which serve no requests. */
export const noSessionCache: SessionCache = {
  find: async (_sessionId, read) => (await read())?.account,
  forget: async () => undefined,
  forgetAll: async () => undefined,
  follow: () => undefined,
};

function isValid({ readAt, expiresAt }: Entry): boolean {
  const now = Date.now();
  return (
    performance.now() - readAt.steady < maxAgeMs &&
    Math.abs(now - readAt.time) < maxAgeMs &&
    Date.parse(expiresAt) > now
  );
}

function makeRoom(entries: Map<string, Entry>): void {
  const [oldest] = entries.keys();
  if (entries.size >= maxEntries && oldest !== undefined) {
    entries.delete(oldest);
  }
}
