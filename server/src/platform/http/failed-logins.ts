import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Problem, problem } from '@knowhow/shared/problem';
import type { Cluster } from '../cluster/cluster.ts';
import { localLocks } from '../cluster/local-locks.ts';
import { ignore } from '../lib/ignore.ts';

/**
 * Rate-limits password guessing (brute force), without locking out a user who signs in from another address:
 *
 * - an address has a limit of wrong passwords a minute, and ten times that limit of right ones;
 * - the same username from the same address backs off exponentially after that many, up to a minute;
 * - a username that is tried from many addresses is answered with a growing delay, up to three seconds.
 */
export interface FailedLogins {
  /**
   * Runs a check within the limits and returns its result; undefined means a wrong password. A running check
   * reserves one of the address's remaining wrong passwords; further ones wait for it. A check that throws a
   * problem, such as a rejected second factor, counts like a right password. One that could not run, e.g.
   * because the database is unavailable, does not count. Throws `too-many-requests` with the time to wait.
   */
  attempt<Answer>(who: Attempt, check: () => Promise<Answer>): Promise<Answer>;
}

interface Attempt {
  /** As returned by `addressBlock`. */
  address: string;
  username: string;
}

/** Beyond an address's failures per minute, the backoff doubles with each failure, and decays. */
const pair = { runsOutPerMinute: 1, maxSeconds: 60 };
/** Right passwords allowed per wrong one: hashing costs the same for both. */
const successesPerFailure = 10;
const name = { stepMs: 100, maxMs: 3000 };
/** Maximum number of concurrently delayed responses. */
const maxDelayed = 500;
/** Requests waiting for their check: per address, and in total. */
const maxWaiting = 100;
const maxTotalWaiting = 500;
const busySeconds = 5;
const pollMs = 250;

/** @param limit wrong passwords a minute; 0 disables all limits */
export function createFailedLogins(cluster: Cluster, limit: () => number): FailedLogins {
  const addresses = countFailures(cluster, 'sign-in address', limit);
  const pairs = countFailures(cluster, 'sign-in pair', () => pair.runsOutPerMinute);
  const attempts = cluster.leakyCounts('sign-in attempt', () => limit() * successesPerFailure);
  const names = cluster.leakyCounts('sign-in name', limit);
  const delay = createDelays();
  const queue = createQueue();

  /**
   * Throws `too-many-requests`, or starts and returns the response delay. Undefined if others have to finish
   * first.
   */
  const begin = async (address: string, user: string): Promise<number | undefined> => {
    const both = `${address} ${user}`;
    const maxFailures = limit();
    const [atAddress, ofPair, attempted, ofName] = await Promise.all([
      addresses.read(address),
      pairs.read(both),
      attempts.read(address),
      names.read(user),
    ]);
    rejectFor(
      Math.max(
        secondsUntilFree(atAddress.failed.count, maxFailures),
        secondsUntilFree(attempted.count, maxFailures * successesPerFailure),
        backoffSeconds(ofPair.failed, maxFailures),
      ),
    );
    const remaining = Math.min(
      maxFailures - atAddress.failed.count - atAddress.checking,
      Math.max(1, maxFailures - ofPair.failed.count) - ofPair.checking,
    );
    if (remaining < 1) {
      return undefined;
    }
    await Promise.all([
      addresses.begin(address),
      pairs.begin(both),
      names.add(user),
      attempts.add(address),
    ]);
    return responseDelayMs(ofName.count, maxFailures);
  };
  const beginQueued = (address: string, user: string) =>
    queue.run(address, async () => {
      for (;;) {
        const delayMs = await cluster.withLock(`sign-in ${address}`, () => begin(address, user));
        if (delayMs !== undefined) {
          return delayMs;
        }
        await queue.untilEnd(address);
      }
    });
  return {
    attempt: async ({ address, username }, check) => {
      if (limit() === 0) {
        return check();
      }
      const user = username.toLowerCase();
      const both = `${address} ${user}`;
      const delayMs = await beginQueued(address, user);
      try {
        await delay(delayMs);
        const answer = await check();
        if (answer === undefined) {
          await Promise.all([addresses.add(address), pairs.add(both)]);
        } else {
          await Promise.all([names.takeBack(user), pairs.forget(both)]);
        }
        return answer;
      } catch (error) {
        await names.takeBack(user);
        if (!hasCheckedPassword(error)) {
          await attempts.takeBack(address);
        }
        throw error;
      } finally {
        await Promise.all([addresses.end(address), pairs.end(both)]).finally(() =>
          queue.ended(address),
        );
      }
    },
  };
}

/** Counts failures by key and, separately, running checks, so that those of a crashed node expire. */
function countFailures(cluster: Cluster, name: string, perMinute: () => number) {
  const failed = cluster.leakyCounts(name, perMinute);
  const checking = cluster.leakyCounts(`${name} under way`, perMinute);
  return {
    read: async (key: string) => ({
      failed: await failed.read(key),
      checking: Math.round((await checking.read(key)).count),
    }),
    add: failed.add,
    forget: failed.forget,
    begin: checking.add,
    end: checking.takeBack,
  };
}

/** Serializes the start of requests per address, first in, first out. */
function createQueue() {
  const withLocalLock = localLocks();
  const waiting = new Map<string, number>();
  const ends = new EventEmitter().setMaxListeners(0);
  let total = 0;
  const count = (address: string, change: 1 | -1) => {
    const now = (waiting.get(address) ?? 0) + change;
    total += change;
    if (now === 0) {
      waiting.delete(address);
    } else {
      waiting.set(address, now);
    }
  };
  return {
    run: async <Result>(address: string, work: () => Promise<Result>): Promise<Result> => {
      if ((waiting.get(address) ?? 0) >= maxWaiting || total >= maxTotalWaiting) {
        rejectFor(busySeconds);
      }
      count(address, 1);
      try {
        return await withLocalLock(address, work);
      } finally {
        count(address, -1);
      }
    },
    /** Resolves when a check of that address ends here, or after a timeout: it may end on another node. */
    untilEnd: (address: string) =>
      once(ends, address, { signal: AbortSignal.timeout(pollMs) }).catch(ignore),
    ended: (address: string) => {
      ends.emit(address);
    },
  };
}

/** Whether a check that threw this error has verified the password. */
function hasCheckedPassword(error: unknown): boolean {
  return error instanceof Problem && error.code !== 'not-ready';
}

/** Seconds until the leaky bucket has capacity for one more. */
function secondsUntilFree(count: number, perMinute: number): number {
  return ((count + 1 - perMinute) * 60) / perMinute;
}

/** Seconds left of the backoff after the last failure. */
function backoffSeconds({ count, age }: { count: number; age: number }, free: number): number {
  const over = Math.round(count - free);
  return over < 0 ? 0 : Math.min(pair.maxSeconds, 2 ** over) - age / 1000;
}

function responseDelayMs(count: number, free: number): number {
  const over = count - free;
  return over <= 0 ? 0 : Math.min(name.maxMs, name.stepMs * 2 ** over);
}

function createDelays(): (milliseconds: number) => Promise<void> {
  let delayed = 0;
  return async (milliseconds) => {
    if (milliseconds === 0) {
      return;
    }
    if (delayed >= maxDelayed) {
      throw problem('not-ready', 'Too many are signing in at once. Try again in a few seconds.', {
        retryAfter: 5,
      });
    }
    delayed += 1;
    await wait(milliseconds);
    delayed -= 1;
  };
}

function rejectFor(seconds: number): void {
  if (seconds > 0) {
    const rounded = Math.ceil(seconds);
    throw problem(
      'too-many-requests',
      `Too many attempts to sign in. Try again in ${rounded} second${rounded === 1 ? '' : 's'}.`,
      { retryAfter: rounded },
    );
  }
}
