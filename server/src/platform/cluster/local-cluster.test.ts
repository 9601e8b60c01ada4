import { describe, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../testing/wait-for.ts';
import { createLog } from '../lib/log.ts';
import { createLocalCluster } from './local-cluster.ts';

/** A pending task that ends on request. */
function pendingTask() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}

describe('withLock', () => {
  test('runs one at a time in the order of calls, even if the previous one fails', async () => {
    const { withLock } = createLocalCluster();
    const done: string[] = [];
    const first = pendingTask();
    const results = Promise.allSettled([
      withLock('a', async () => {
        await first.ended;
        done.push('first');
        throw new Error('failed');
      }),
      withLock('a', async () => done.push('second')),
      withLock('a', async () => done.push('third')),
    ]);
    await withLock('b', async () => done.push('other lock'));
    first.end();
    expect((await results).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(done).toEqual(['other lock', 'first', 'second', 'third']);
  });

  test('is re-entrant, also within another lock, and excludes others meanwhile', async () => {
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

  test('is no longer held by work that outlives it', async () => {
    const { withLock } = createLocalCluster();
    const released = pendingTask();
    const other = pendingTask();
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

test('delivers a message to all subscribers of its topic until they unsubscribe', async () => {
  const { publish, subscribe } = createLocalCluster();
  const received: string[] = [];
  const unsubscribe = subscribe('a', (message) => received.push(`one ${message}`));
  subscribe('a', (message) => received.push(`two ${message}`));
  subscribe('b', (message) => received.push(`other ${message}`));
  await publish('a', '1');
  unsubscribe();
  await publish('a', '2');
  await publish('nobody', '3');
  expect(received).toEqual(['one 1', 'two 1', 'two 2']);
});

test('grants a lease to one holder until it is released, and shows its data to others', async () => {
  const cluster = createLocalCluster();
  const lease = await cluster.lease('a', { owner: 'ann' });
  expect(await cluster.lease('a', { owner: 'bob' })).toBeUndefined();
  expect(await cluster.holder('a')).toEqual({ owner: 'ann' });
  expect(await cluster.holder('b')).toBeUndefined();
  await lease?.release();
  expect(await cluster.holder('a')).toBeUndefined();
  expect(await cluster.lease('a', { owner: 'bob' })).toBeDefined();
  // Releasing twice does not affect the next holder.
  await lease?.release();
  expect(await cluster.holder('a')).toEqual({ owner: 'bob' });
});

test('tells the holder that its lease is lost, and leaves the next holder unaffected', async () => {
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

test('runs startup work and passes on its errors', async () => {
  const { atStart } = createLocalCluster();
  expect(await atStart('a', async () => 'done')).toBe('done');
  await expect(atStart('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
});

test('runs scheduled work on time, never concurrently, and not after stop', async () => {
  const { oneNode } = createLocalCluster();
  const first = pendingTask();
  let runs = 0;
  const job = oneNode('a', '* * * * * *', () => {
    runs += 1;
    return first.ended;
  });
  onTestFinished(job.stop);
  await waitFor(() => runs === 1);
  const next = job.nextRun()?.getTime() ?? 0;
  await waitFor(() => Date.now() > next + 200);
  expect(runs).toBe(1);
  job.stop();
  expect(job.nextRun()).toBeUndefined();
  first.end();
});

test('logs an error of scheduled work, and runs it again', async () => {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => lines.push(line) });
  const { oneNode } = createLocalCluster({ log });
  const job = oneNode('a', '* * * * * *', () => Promise.reject(new Error('disk full')));
  onTestFinished(job.stop);
  await waitFor(() => lines.length === 2);
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({
      schedule: 'a',
      msg: 'scheduled work failed',
      error: { message: 'disk full' },
    });
  }
});

test('counts by key until the window ends or the clock is set back', async () => {
  const clock = { now: 1_000_000 };
  const { limiter } = createLocalCluster({ time: () => clock.now });
  const { add } = limiter('a', 60);
  const getCount = async (key: string) => (await add(key)).count;
  expect(await add('ann')).toEqual({ count: 1, endsAt: new Date(1_060_000) });
  clock.now += 30_000;
  expect(await add('ann')).toEqual({ count: 2, endsAt: new Date(1_060_000) });
  expect(await getCount('bob')).toBe(1);
  clock.now += 30_000;
  expect([await getCount('ann'), await getCount('bob')]).toEqual([1, 2]);
  clock.now -= 3_600_000;
  expect([await getCount('ann'), await getCount('ann'), await getCount('bob')]).toEqual([1, 2, 1]);
  expect((await limiter('b', 60).add('ann')).count).toBe(1);
});

test('leaks counts over time and can undo one', async () => {
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

test('limits concurrent slots per key', async () => {
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
