import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import { z } from 'zod';
import type { Cluster, Lease } from '../../platform/cluster/cluster.ts';
import { withTimeout } from '../../platform/lib/with-timeout.ts';
import type { TurnEvents } from './events/turn-events.ts';

/** Abort reason: stopped by the user. */
export const stoppedByUser = Symbol('stopped by its user');

/** Abort reason: the lease is lost. Another node may answer now, so nothing more is stored. */
export const leaseLost = Symbol('the lease of the conversation is lost');

/**
 * Registry of running turns; at most one per conversation across all nodes. A turn belongs to its conversation, not
 * to a connection: clients may disconnect, and others may subscribe.
 *
 * Events are in the memory of the node that runs the turn. If `find` reports a turn on another node, follow what that
 * node stores once a second. Send `session.start`, then the text added since the last read, finally `done` or `error`
 * by the status.
 */
export interface RunningTurns {
  /** Claims the conversation; undefined if a turn is already running. */
  begin(key: TurnKey): Promise<RunningTurn | undefined>;
  /** Owner and app of the running turn. */
  find(conversationId: string): Promise<Holder | undefined>;
  /** Number of turns running in this process. */
  count(): number;
  /** Events of this owner's turn if it runs in this process or ended recently. */
  eventsOf(conversationId: string, owner: string): TurnEvents | undefined;
  /** Asks this owner's turn to stop; false if none is running. */
  stop(conversationId: string, owner: string): Promise<boolean>;
  /** Stops all turns of this owner, with the same outcome as a server shutdown. */
  stopAllOf(owner: string): Promise<void>;
  /**
   * Starts no more turns in this process. Running ones get `graceMs` to finish and are then aborted. Resolves once
   * all have stored their state, or after a timeout.
   */
  finish(graceMs: number): Promise<void>;
}

/** A conversation in an app; it need not be stored yet. */
export interface TurnKey {
  conversationId: string;
  /** ID of the caller. */
  owner: string;
  appId: string;
}

export interface RunningTurn {
  abort: AbortController;
  /** Makes its events available to subscribers. */
  share(events: TurnEvents): void;
  /** Releases the conversation. */
  end(): Promise<void>;
}

interface Running {
  owner: string;
  abort: AbortController;
  ended: Promise<void>;
}

const holderSchema = z.object({ turn: z.string(), owner: z.string(), appId: z.string() });
type Holder = z.infer<typeof holderSchema>;

/** Pub/sub topics; the message is a turn ID or an owner ID. */
const topics = { stop: 'stop-turn', stopAll: 'stop-turns-of' };
const abortTimeoutMs = 3000;

export function createRunningTurns(cluster: Cluster): RunningTurns {
  /** Turns of this process by turn ID. */
  const running = new Map<string, Running>();
  const buffer = createEventBuffer();
  const allEnded = async () => {
    await Promise.all([...running.values()].map(({ ended }) => ended));
  };
  const find = async (conversationId: string) => {
    const holder = await cluster.holder(leaseName(conversationId));
    return holder === undefined ? undefined : holderSchema.parse(holder);
  };
  cluster.subscribe(topics.stop, (turn) => running.get(turn)?.abort.abort(stoppedByUser));
  cluster.subscribe(topics.stopAll, (owner) => {
    for (const turn of running.values()) {
      if (turn.owner === owner) {
        turn.abort.abort();
      }
    }
  });
  let isFinishing = false;
  return {
    begin: async (key) => {
      if (isFinishing) {
        throw problem('not-ready', 'The server is stopping. Send it again in a moment.', {
          retryAfter: 5,
        });
      }
      return claim(key, { cluster, running, kept: buffer });
    },
    find,
    count: () => running.size,
    eventsOf: (conversationId, owner) => {
      const found = buffer.find(conversationId);
      return found?.owner === owner ? found.events : undefined;
    },
    stop: async (conversationId, owner) => {
      const found = await find(conversationId);
      if (found?.owner !== owner) {
        return false;
      }
      await cluster.publish(topics.stop, found.turn);
      return true;
    },
    stopAllOf: (owner) => cluster.publish(topics.stopAll, owner),
    finish: async (graceMs) => {
      isFinishing = true;
      await withTimeout(graceMs, allEnded());
      for (const { abort } of running.values()) {
        abort.abort();
      }
      await withTimeout(abortTimeoutMs, allEnded());
    },
  };
}

interface NodeState {
  cluster: Cluster;
  running: Map<string, Running>;
  kept: EventBuffer;
}

async function claim(
  { conversationId, owner, appId }: TurnKey,
  { cluster, running, kept: buffer }: NodeState,
): Promise<RunningTurn | undefined> {
  const turn = randomUUID();
  const abort = new AbortController();
  const { promise: ended, resolve } = withResolvers();
  running.set(turn, { owner, abort, ended });
  let lease: Lease | undefined;
  let release: (() => void) | undefined;
  const end = async () => {
    try {
      await lease?.release();
    } finally {
      running.delete(turn);
      release?.();
      resolve();
    }
  };
  const share = (events: TurnEvents) => {
    release = buffer.add(conversationId, { owner, events });
  };
  const holder: Holder = { turn, owner, appId };
  try {
    lease = await cluster.lease(leaseName(conversationId), holder);
    lease?.lost.addEventListener('abort', () => abort.abort(leaseLost), { once: true });
    return lease && { abort, share, end };
  } finally {
    if (!lease) {
      await end();
    }
  }
}

function leaseName(conversationId: string): string {
  return `turn ${conversationId}`;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

interface BufferedTurn {
  owner: string;
  events: TurnEvents;
}

/** Grace period in which a client can reconnect to a turn that has ended. */
const retentionMs = 60_000;
/**
 * Maximum size of the events of ended turns, including those for lagging subscribers. Evicted turns are read from the
 * conversation.
 */
const maxCharacters = 16_000_000;

type EventBuffer = ReturnType<typeof createEventBuffer>;

/** Buffers the events of turns by conversation, while they run and for one minute after. */
function createEventBuffer() {
  const turns = new Map<string, BufferedTurn>();
  /** Ended turns with their conversation IDs, oldest first, for eviction. */
  const ended = new Map<BufferedTurn, string>();
  let characters = 0;

  const evict = (turn: BufferedTurn) => {
    const conversationId = ended.get(turn);
    if (conversationId === undefined) {
      return;
    }
    ended.delete(turn);
    characters -= turn.events.size;
    turn.events.forget();
    if (turns.get(conversationId) === turn) {
      turns.delete(conversationId);
    }
  };
  return {
    find: (conversationId: string) => turns.get(conversationId),
    /** Returns a function to call when the turn ends. */
    add: (conversationId: string, turn: BufferedTurn) => {
      turns.set(conversationId, turn);
      return () => {
        ended.set(turn, conversationId);
        characters += turn.events.size;
        setTimeout(() => evict(turn), retentionMs).unref();
        for (const oldest of ended.keys()) {
          if (characters <= maxCharacters) {
            return;
          }
          evict(oldest);
        }
      };
    },
  };
}
