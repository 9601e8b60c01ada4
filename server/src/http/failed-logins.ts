import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Problem, problem } from '@knowhow/shared/problem';
import type { Cluster } from '../cluster/cluster.ts';
import { localLocks } from '../cluster/local-locks.ts';
import { ignore } from '../lib/ignore.ts';

/**
 * Slows down password guessing, and never locks a user out who signs in from elsewhere with the right password:
 *
 * - an address has a limit of wrong passwords a minute, and ten times that limit of right ones;
 * - the same name from the same address waits longer and longer after that many, up to a minute;
 * - a name that is tried from everywhere is answered later and later, up to three seconds.
 */
export interface FailedLogins {
  /**
   * Runs a check when it may run, and returns its answer; undefined means a wrong password. A check under way takes
   * one of the wrong passwords that its address has left: more at once wait for it. One that throws a problem, such as
   * a refused second factor, counts as much as a right password; one that could not run, as the database is away, not
   * at all. Throws `too-many-requests` with the time to wait.
   */
  attempt<Answer>(who: Attempt, check: () => Promise<Answer>): Promise<Answer>;
}

interface Attempt {
  /** As `addressBlock` gives it. */
  address: string;
  username: string;
}

/** After as many failures as an address has a minute, the pause doubles with each, and shrinks again. */
const pair = { runsOutPerMinute: 1, maxSeconds: 60 };
/** How many right passwords go with a wrong one: they cost as much. */
const rightOnes = 10;
const name = { stepMs: 100, maxMs: 3000 };
/** Of those who are answered later, at once. */
const maxDelayed = 500;
/** Requests that wait to be checked: of one address, and of all. */
const maxWaiting = 100;
const maxWaitingInAll = 500;
const busySeconds = 5;
const lookMs = 250;

/** @param limit wrong passwords a minute; 0 switches all of it off */
export function createFailedLogins(cluster: Cluster, limit: () => number): FailedLogins {
  const addresses = countFailures(cluster, 'sign-in address', limit);
  const pairs = countFailures(cluster, 'sign-in pair', () => pair.runsOutPerMinute);
  const attempts = cluster.leakyCounts('sign-in attempt', () => limit() * rightOnes);
  const names = cluster.leakyCounts('sign-in name', limit);
  const delay = delays();
  const queue = createQueue();

  /** Throws `too-many-requests`, or begins: returns how late the answer is sent. Undefined while others have to end. */
  const begin = async (address: string, user: string): Promise<number | undefined> => {
    const both = `${address} ${user}`;
    const most = limit();
    const [atAddress, ofPair, attempted, ofName] = await Promise.all([
      addresses.read(address),
      pairs.read(both),
      attempts.read(address),
      names.read(user),
    ]);
    refuseFor(
      Math.max(
        secondsOver(atAddress.failed.count, most),
        secondsOver(attempted.count, most * rightOnes),
        pauseOf(ofPair.failed, most),
      ),
    );
    const mayFail = Math.min(
      most - atAddress.failed.count - atAddress.checking,
      Math.max(1, most - ofPair.failed.count) - ofPair.checking,
    );
    if (mayFail < 1) {
      return undefined;
    }
    await Promise.all([
      addresses.begin(address),
      pairs.begin(both),
      names.add(user),
      attempts.add(address),
    ]);
    return delayOf(ofName.count, most);
  };
  const beginInTurn = (address: string, user: string) =>
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
      const delayMs = await beginInTurn(address, user);
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
        if (!hasRun(error)) {
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

/** Failures of keys, and apart from them the checks under way: those of a node that died run out, too. */
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

/** Lets the requests of an address begin one after the other, in the order in which they came. */
function createQueue() {
  const inOrder = localLocks();
  const waiting = new Map<string, number>();
  const ends = new EventEmitter().setMaxListeners(0);
  let all = 0;
  const count = (address: string, change: 1 | -1) => {
    const now = (waiting.get(address) ?? 0) + change;
    all += change;
    if (now === 0) {
      waiting.delete(address);
    } else {
      waiting.set(address, now);
    }
  };
  return {
    run: async <Result>(address: string, work: () => Promise<Result>): Promise<Result> => {
      if ((waiting.get(address) ?? 0) >= maxWaiting || all >= maxWaitingInAll) {
        refuseFor(busySeconds);
      }
      count(address, 1);
      try {
        return await inOrder(address, work);
      } finally {
        count(address, -1);
      }
    },
    /** Resolves when a check of that address ends here, or after a moment: it may end on another node. */
    untilEnd: (address: string) =>
      once(ends, address, { signal: AbortSignal.timeout(lookMs) }).catch(ignore),
    ended: (address: string) => {
      ends.emit(address);
    },
  };
}

/** Whether a check that threw this has looked at the password. */
function hasRun(error: unknown): boolean {
  return error instanceof Problem && error.code !== 'not-ready';
}

/** Until one more has room among so many a minute. */
function secondsOver(count: number, perMinute: number): number {
  return ((count + 1 - perMinute) * 60) / perMinute;
}

/** What is left of the pause after the last failure. */
function pauseOf({ count, age }: { count: number; age: number }, free: number): number {
  const over = Math.round(count - free);
  return over < 0 ? 0 : Math.min(pair.maxSeconds, 2 ** over) - age / 1000;
}

function delayOf(count: number, free: number): number {
  const over = count - free;
  return over <= 0 ? 0 : Math.min(name.maxMs, name.stepMs * 2 ** over);
}

function delays(): (milliseconds: number) => Promise<void> {
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

function refuseFor(seconds: number): void {
  if (seconds > 0) {
    const rounded = Math.ceil(seconds);
    throw problem(
      'too-many-requests',
      `Too many attempts to sign in. Try again in ${rounded} second${rounded === 1 ? '' : 's'}.`,
      { retryAfter: rounded },
    );
  }
}
