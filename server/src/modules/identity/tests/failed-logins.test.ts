import { setImmediate } from 'node:timers/promises';
import { Problem, problem } from '@knowhow/shared/problem';
import { expect, test } from 'vitest';
import { createLocalCluster } from '../../../platform/cluster/local-cluster.ts';
import { createFailedLogins } from '../../../platform/http/failed-logins.ts';

const here = { address: '192.0.2.1', username: 'admin' };
const wrong = () => Promise.resolve(undefined);
const right = () => Promise.resolve('admin');

/** Ten failures a minute, and a clock that is frozen until it is set. */
function start() {
  const clock = { now: 0 };
  const cluster = createLocalCluster({ steady: () => clock.now });
  const logins = createFailedLogins(cluster, () => 10);
  const retryAfter = async (who = here, check: () => Promise<string | undefined> = wrong) => {
    try {
      await logins.attempt(who, check);
      return 0;
    } catch (error) {
      return error instanceof Problem ? error.retryAfter : undefined;
    }
  };
  return { clock, retryAfter };
}

test('the backoff for guessing one name grows to a minute, and never beyond', async () => {
  const { clock, retryAfter } = start();
  const pauses: number[] = [];
  for (let tried = 0; tried < 40; tried += 1) {
    const pause = (await retryAfter()) ?? 0;
    if (pause > 0) {
      pauses.push(pause);
      clock.now += pause * 1000;
    }
  }
  expect(pauses[0]).toBeLessThanOrEqual(6);
  expect(Math.max(...pauses)).toBe(60);
  // The right password is accepted as soon as the backoff is over, and the backoff starts again.
  clock.now += 60_000;
  expect(await retryAfter(here, right)).toBe(0);
  expect(await retryAfter()).toBe(0);
});

test('an address has ten wrong passwords a minute, for any names', async () => {
  const { clock, retryAfter } = start();
  let tried = 0;
  while ((await retryAfter({ ...here, username: `user${tried}` })) === 0) {
    tried += 1;
  }
  expect(tried).toBe(10);
  clock.now += 6000;
  expect(await retryAfter({ ...here, username: 'another' })).toBe(0);
  expect(await retryAfter({ ...here, username: 'one more' })).toBe(6);
});

test('right passwords cost as much as wrong ones: there are a hundred a minute', async () => {
  const { retryAfter } = start();
  let tried = 0;
  while ((await retryAfter(here, right)) === 0) {
    tried += 1;
  }
  expect(tried).toBe(100);
});

test('right passwords with rejected codes cost as much as others', async () => {
  const { retryAfter } = start();
  const refused = () => Promise.reject(problem('too-many-requests', 'Too many wrong codes.'));
  for (let tried = 0; tried < 100; tried += 1) {
    expect(await retryAfter(here, refused)).toBeUndefined();
  }
  expect(await retryAfter(here, refused)).toBe(1);
  // Another address has its own limit.
  expect(await retryAfter({ ...here, address: '192.0.2.2' }, right)).toBe(0);
});

test('attempts during a database outage do not count', async () => {
  const { retryAfter } = start();
  const away = () => Promise.reject(new Error('away'));
  const full = () => Promise.reject(problem('not-ready', 'Too many are signing in at once.'));
  for (let tried = 0; tried < 200; tried += 1) {
    expect(await retryAfter(here, tried % 2 ? away : full)).toBeUndefined();
  }
  expect(await retryAfter()).toBe(0);
});

test('ten thousand addresses are remembered, not more', async () => {
  const { retryAfter } = start();
  while ((await retryAfter({ ...here, username: 'x' })) === 0) {
    // Until that address has to wait.
  }
  for (let other = 0; other < 10_001; other += 1) {
    await retryAfter({ address: `other ${other}`, username: `name ${other}` });
  }
  expect(await retryAfter({ ...here, username: 'x' })).toBe(0);
});

const sameName = () => 'admin';
const otherNames = (at: number) => `user${at}`;

/** Checks that end once the maximum of concurrent ones is running. */
function countedCheck(isRight: (number: number) => boolean) {
  const seen = { tried: 0, underWay: 0, mostUnderWay: 0 };
  const check = async () => {
    seen.tried += 1;
    seen.underWay += 1;
    seen.mostUnderWay = Math.max(seen.mostUnderWay, seen.underWay);
    const number = seen.tried;
    await setImmediate();
    seen.underWay -= 1;
    return isRight(number) ? 'in' : undefined;
  };
  return { seen, check };
}

test.each([
  ['wrong, of many names', otherNames, () => false, 10],
  ['wrong, of one name', sameName, () => false, 10],
  ['wrong except the first five', otherNames, (number: number) => number <= 5, 15],
  ['right, of many names', otherNames, () => true, 90],
  ['right, of one name', sameName, () => true, 90],
])(
  'of 90 concurrent passwords that are %s, this number is checked',
  async (_, nameOf, isRight, tried) => {
    const { retryAfter } = start();
    const { seen, check } = countedCheck(isRight);
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_none, at) =>
        retryAfter({ ...here, username: nameOf(at) }, check),
      ),
    );
    expect(seen.tried).toBe(tried);
    expect(seen.mostUnderWay).toBeLessThanOrEqual(10);
    expect(answers.filter((seconds) => seconds === 0)).toHaveLength(tried);
  },
);

test('of a thousand concurrent wrong passwords from one address ten are checked', async () => {
  const { retryAfter } = start();
  const { seen, check } = countedCheck(() => false);
  const all = Array.from({ length: 1000 }, (_, at) =>
    retryAfter({ ...here, username: `user${at}` }, check),
  );
  await Promise.all(all);
  expect(seen.tried).toBe(10);
});

test('a guessed name has one check at a time', async () => {
  const { clock, retryAfter } = start();
  for (let tried = 0; tried < 10; tried += 1) {
    await retryAfter();
  }
  clock.now += 60_000;
  const { seen, check } = countedCheck(() => false);
  await Promise.all(Array.from({ length: 20 }, () => retryAfter(here, check)));
  expect(seen.mostUnderWay).toBe(1);
  expect(seen.tried).toBeLessThanOrEqual(2);
});
