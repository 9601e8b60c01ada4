import { describe, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../testing/wait-for.ts';
import { createLocalCluster } from './local-cluster.ts';

/** Something under way that ends when it is asked to. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}

describe('withLock', () => {
  test('runs one at a time, in the order of asking, whatever becomes of the one before', async () => {
    const { withLock } = createLocalCluster();
    const done: string[] = [];
    const first = held();
    const results = Promise.allSettled([
      withLock('a', async () => {
        await first.ended;
        done.push('first');
        throw new Error('failed');
      }),
      withLock('a', async () => done.push('second')),
      withLock('a', async () => done.push('third')),
    ]);
    await withLock('b', async () => done.push('of another name'));
    first.end();
    expect((await results).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(done).toEqual(['of another name', 'first', 'second', 'third']);
  });

  test('lets its holder take it again, also within another, and keeps others out meanwhile', async () => {
    const { withLock } = createLocalCluster();
    const done: string[] = [];
    const say = (word: string) => async () => void done.push(word);
    await Promise.all([
      withLock('a', async () => {
        await Promise.all([withLock('a', say('inner')), withLock('a', say('inner too'))]);
        await withLock('b', () => withLock('a', say('innermost')));
      }),
      withLock('a', say('other')),
    ]);
    expect(done).toEqual(['inner', 'inner too', 'innermost', 'other']);
  });

  test('is not held any more by what outlives it', async () => {
    const { withLock } = createLocalCluster();
    const released = held();
    const other = held();
    const done: string[] = [];
    let late: Promise<unknown> = Promise.resolve();
    await withLock('a', async () => {
      late = released.ended.then(() => withLock('a', async () => done.push('late')));
    });
    const holding = withLock('a', async () => {
      released.end();
      await other.ended;
      done.push('holder');
    });
    await released.ended;
    other.end();
    await Promise.all([late, holding]);
    expect(done).toEqual(['holder', 'late']);
  });
});

test('a message reaches all who listen to its topic, until they do no more', async () => {
  const { publish, subscribe } = createLocalCluster();
  const heard: string[] = [];
  const leave = subscribe('a', (message) => heard.push(`one ${message}`));
  subscribe('a', (message) => heard.push(`two ${message}`));
  subscribe('b', (message) => heard.push(`other ${message}`));
  await publish('a', '1');
  leave();
  await publish('a', '2');
  await publish('nobody', '3');
  expect(heard).toEqual(['one 1', 'two 1', 'two 2']);
});

test('a lease is one holder’s, whose data others see, until it is released', async () => {
  const cluster = createLocalCluster();
  const lease = await cluster.lease('a', { owner: 'ann' });
  expect(await cluster.lease('a', { owner: 'bob' })).toBeUndefined();
  expect(await cluster.holder('a')).toEqual({ owner: 'ann' });
  expect(await cluster.holder('b')).toBeUndefined();
  await lease?.release();
  expect(await cluster.holder('a')).toBeUndefined();
  expect(await cluster.lease('a', { owner: 'bob' })).toBeDefined();
  // Who releases twice takes nothing from the next.
  await lease?.release();
  expect(await cluster.holder('a')).toEqual({ owner: 'bob' });
});

test('who holds a lease learns that it was lost, and takes nothing from the next holder', async () => {
  const cluster = createLocalCluster();
  const lease = await cluster.lease('a', 'ann');
  expect(lease?.lost.aborted).toBe(false);
  cluster.endLease('a');
  expect(lease?.lost.aborted).toBe(true);
  const next = await cluster.lease('a', 'bob');
  await lease?.release();
  expect(await cluster.holder('a')).toBe('bob');
  await next?.release();
  expect(next?.lost.aborted).toBe(false);
});

test('what is done at a start is done, and its failure passed on', async () => {
  const { atStart } = createLocalCluster();
  expect(await atStart('a', async () => 'done')).toBe('done');
  await expect(atStart('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
});

test('scheduled work is begun when it is time, never twice at once, and not after its stop', async () => {
  const { oneNode } = createLocalCluster();
  const first = held();
  let begun = 0;
  const job = oneNode('a', '* * * * * *', () => {
    begun += 1;
    return first.ended;
  });
  onTestFinished(job.stop);
  await waitFor(() => begun === 1);
  const next = job.nextRun()?.getTime() ?? 0;
  await waitFor(() => Date.now() > next + 200);
  expect(begun).toBe(1);
  job.stop();
  expect(job.nextRun()).toBeUndefined();
  first.end();
});

test('a limiter counts by key until a window is over, or the clock is set back', async () => {
  const clock = { now: 1_000_000 };
  const { limiter } = createLocalCluster({ time: () => clock.now });
  const { add } = limiter('a', 60);
  const countOf = async (key: string) => (await add(key)).count;
  expect(await add('ann')).toEqual({ count: 1, endsAt: new Date(1_060_000) });
  clock.now += 30_000;
  expect(await add('ann')).toEqual({ count: 2, endsAt: new Date(1_060_000) });
  expect(await countOf('bob')).toBe(1);
  clock.now += 30_000;
  expect([await countOf('ann'), await countOf('bob')]).toEqual([1, 2]);
  clock.now -= 3_600_000;
  expect([await countOf('ann'), await countOf('ann'), await countOf('bob')]).toEqual([1, 2, 1]);
  expect((await limiter('b', 60).add('ann')).count).toBe(1);
});

test('leaky counts run out with time, and one can be taken back', async () => {
  const clock = { now: 0 };
  const counts = createLocalCluster({ steady: () => clock.now }).leakyCounts('a', () => 2);
  await counts.add('ann');
  await counts.add('ann');
  await counts.add('bob');
  clock.now += 30_000;
  expect(await counts.read('ann')).toEqual({ count: 1, age: 30_000 });
  await counts.takeBack('ann');
  expect(await counts.read('ann')).toEqual({ count: 0, age: 30_000 });
  expect((await counts.read('bob')).count).toBe(0);
  await counts.forget('ann');
  expect(await counts.read('ann')).toEqual({ count: 0, age: Number.POSITIVE_INFINITY });
});

test('slots are so many of a key at once', async () => {
  const { take } = createLocalCluster().slots('a');
  const first = await take('ann', 2);
  expect(await take('ann', 2)).toBeDefined();
  expect(await take('ann', 2)).toBeUndefined();
  expect(await take('bob', 1)).toBeDefined();
  await first?.release();
  await first?.release();
  expect(await take('ann', 2)).toBeDefined();
  expect(await take('ann', 2)).toBeUndefined();
});
