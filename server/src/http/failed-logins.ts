import { setTimeout as wait } from 'node:timers/promises';
import { Problem, problem } from '@knowhow/shared/problem';
import type { Cluster } from '../cluster/cluster.ts';

/**
 * Slows down who tries passwords, and never keeps out who comes from elsewhere with the right one:
 *
 * - an address has so many wrong ones a minute, and ten times as many right ones;
 * - the same name from the same address waits longer and longer after that many, up to a minute;
 * - a name that is tried from everywhere is answered later and later, up to three seconds.
 */
export interface FailedLogins {
  /**
   * Runs a check, when it may run, and gives its answer: nothing means a wrong password. Each counts as
   * a failure from its beginning, so that no more run at once than may fail. One that throws a problem, such as
   * of a second factor that is being guessed, counts as much as a right password; one that could not run, as the
   * database is away, not at all. Throws `too-many-requests` with the time to wait.
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

/** @param limit wrong passwords a minute; 0 switches all of it off */
export function createFailedLogins(cluster: Cluster, limit: () => number): FailedLogins {
  const addresses = cluster.leakyCounts('sign-in address', limit);
  const attempts = cluster.leakyCounts('sign-in attempt', () => limit() * rightOnes);
  const pairs = cluster.leakyCounts('sign-in pair', () => pair.runsOutPerMinute);
  const names = cluster.leakyCounts('sign-in name', limit);
  const delay = delays();

  /** Throws `too-many-requests`, or counts a failure in advance: answers how late the refusal is sent. */
  const begin = async (address: string, user: string): Promise<number> => {
    const both = `${address} ${user}`;
    const most = limit();
    refuseFor(
      Math.max(
        secondsOver((await addresses.read(address)).count, most),
        secondsOver((await attempts.read(address)).count, most * rightOnes),
        pauseOf(await pairs.read(both), most),
      ),
    );
    const { count } = await names.read(user);
    await Promise.all([
      addresses.add(address),
      pairs.add(both),
      names.add(user),
      attempts.add(address),
    ]);
    return delayOf(count, most);
  };
  return {
    attempt: async ({ address, username }, check) => {
      if (limit() === 0) {
        return check();
      }
      const user = username.toLowerCase();
      const both = `${address} ${user}`;
      const takeBack = (pair: 'takeBack' | 'forget') =>
        Promise.all([addresses.takeBack(address), pairs[pair](both), names.takeBack(user)]);
      // Nobody else of that address is counted in between.
      const delayMs = await cluster.withLock(`sign-in ${address}`, () => begin(address, user));
      try {
        await delay(delayMs);
        const answer = await check();
        if (answer !== undefined) {
          await takeBack('forget');
        }
        return answer;
      } catch (error) {
        await takeBack('takeBack');
        if (!hasRun(error)) {
          await attempts.takeBack(address);
        }
        throw error;
      }
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
