import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import { z } from 'zod';
import type { Cluster, Lease } from '../cluster/cluster.ts';
import { within } from '../lib/within.ts';

/** The reason of an abort by the user. */
export const stoppedByUser = Symbol('stopped by its user');

/** The reason of an abort because another node may answer there by now: nothing is stored any more. */
export const leaseLost = Symbol('the lease of the conversation is lost');

/** The turns under way: one a conversation, whichever process gives the answer. */
export interface RunningTurns {
  /** Takes the conversation; undefined when it is taken. */
  begin(key: TurnKey): Promise<RunningTurn | undefined>;
  /** Whose turn is running, and in which app. */
  find(conversationId: string): Promise<Holder | undefined>;
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
    begin: async ({ conversationId, owner, appId }) => {
      if (isFinishing) {
        throw problem('not-ready', 'The server is stopping. Send it again in a moment.', {
          retryAfter: 5,
        });
      }
      const turn = randomUUID();
      const abort = new AbortController();
      const { promise: ended, resolve } = withResolvers();
      running.set(turn, { owner, abort, ended });
      let lease: Lease | undefined;
      const end = async () => {
        try {
          await lease?.release();
        } finally {
          running.delete(turn);
          resolve();
        }
      };
      const holder: Holder = { turn, owner, appId };
      try {
        lease = await cluster.lease(leaseOf(conversationId), holder);
        lease?.lost.addEventListener('abort', () => abort.abort(leaseLost), { once: true });
        return lease && { abort, end };
      } finally {
        if (!lease) {
          await end();
        }
      }
    },
    find,
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
      await within(graceMs, allEnded());
      for (const { abort } of running.values()) {
        abort.abort();
      }
      await within(stoppingMs, allEnded());
    },
  };
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
