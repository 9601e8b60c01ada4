import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import { z } from 'zod';
import type { Cluster, Lease } from '../cluster/cluster.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { createEventBuffer, type KeptEvents } from './events/event-buffer.ts';
import type { TurnEvents } from './events/turn-events.ts';

/** The reason of an abort by the user. */
export const stoppedByUser = Symbol('stopped by its user');

/** The reason of an abort because another node may answer there by now: nothing is stored any more. */
export const leaseLost = Symbol('the lease of the conversation is lost');

/**
 * The turns under way: one a conversation, whichever process gives the answer. A turn belongs to its
 * conversation: whoever has begun it may go, and others may come and follow.
 *
 * Events are in the memory of the process that gives the answer. A reader who comes to another one, which
 * `find` says has the turn, is to get what that one stores once a second: `session.start`, then the text
 * that the stored answer has more than at the last look, at last `done` or `error` by its status.
 */
export interface RunningTurns {
  /** Takes the conversation; undefined when it is taken. */
  begin(key: TurnKey): Promise<RunningTurn | undefined>;
  /** Whose turn is running, and in which app. */
  find(conversationId: string): Promise<Holder | undefined>;
  /** How many run in this process. */
  count(): number;
  /** What has come, and comes, of a turn of this owner that runs in this process, or has ended a moment ago. */
  eventsOf(conversationId: string, owner: string): TurnEvents | undefined;
  /** Asks a turn of this owner to stop; false when none is running. */
  stop(conversationId: string, owner: string): Promise<boolean>;
  /** Stops all turns of this owner, as a server does that ends. */
  stopAllOf(owner: string): Promise<void>;
  /**
   * Begins no turn here any more. Those under way here have `graceMs` to end by themselves and are stopped then.
   * Resolves when each has stored what it has; one that does not even stop is not waited for.
   */
  finish(graceMs: number): Promise<void>;
}

/** A conversation in an app, which need not be stored yet. */
export interface TurnKey {
  conversationId: string;
  /** Id of the caller. */
  owner: string;
  appId: string;
}

export interface RunningTurn {
  abort: AbortController;
  /** Lets others follow it. */
  share(events: TurnEvents): void;
  /** Gives the conversation back. */
  end(): Promise<void>;
}

interface Running {
  owner: string;
  abort: AbortController;
  ended: Promise<void>;
}

const holderSchema = z.object({ turn: z.string(), owner: z.string(), appId: z.string() });
type Holder = z.infer<typeof holderSchema>;

/** Messages on these are the id of a turn, and that of an owner. */
const topics = { stop: 'stop-turn', stopAll: 'stop-turns-of' };
const stoppingMs = 3000;

export function createRunningTurns(cluster: Cluster): RunningTurns {
  /** Those of this process, by the id of the turn. */
  const running = new Map<string, Running>();
  const kept = createEventBuffer();
  const allEnded = async () => {
    await Promise.all([...running.values()].map(({ ended }) => ended));
  };
  const find = async (conversationId: string) => {
    const held = await cluster.holder(leaseOf(conversationId));
    return held === undefined ? undefined : holderSchema.parse(held);
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
      return take(key, { cluster, running, kept });
    },
    find,
    count: () => running.size,
    eventsOf: (conversationId, owner) => {
      const found = kept.find(conversationId);
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
      await withTimeout(stoppingMs, allEnded());
    },
  };
}

interface Here {
  cluster: Cluster;
  running: Map<string, Running>;
  kept: KeptEvents;
}

async function take(
  { conversationId, owner, appId }: TurnKey,
  { cluster, running, kept }: Here,
): Promise<RunningTurn | undefined> {
  const turn = randomUUID();
  const abort = new AbortController();
  const { promise: ended, resolve } = withResolvers();
  running.set(turn, { owner, abort, ended });
  let lease: Lease | undefined;
  let letGo: (() => void) | undefined;
  const end = async () => {
    try {
      await lease?.release();
    } finally {
      running.delete(turn);
      letGo?.();
      resolve();
    }
  };
  const share = (events: TurnEvents) => {
    letGo = kept.add(conversationId, { owner, events });
  };
  const holder: Holder = { turn, owner, appId };
  try {
    lease = await cluster.lease(leaseOf(conversationId), holder);
    lease?.lost.addEventListener('abort', () => abort.abort(leaseLost), { once: true });
    return lease && { abort, share, end };
  } finally {
    if (!lease) {
      await end();
    }
  }
}

function leaseOf(conversationId: string): string {
  return `turn ${conversationId}`;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
