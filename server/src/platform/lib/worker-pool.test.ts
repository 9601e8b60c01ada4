import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WorkerFailed } from './run-worker.ts';
import { createWorkerPool, PoolFull } from './worker-pool.ts';

/** Returns twice the number; fails for -1. */
const script = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (number) => {
    if (number < 0) throw new Error('no');
    parentPort.postMessage(number * 2);
  });
`;
const address = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
const bounds = { threads: 2, waiting: 3, idleMs: 50 };

test('queues tasks up to the limit and returns each its own result', async () => {
  const pool = createWorkerPool<number, number>(address, bounds);
  const answers = [1, 2, 3, 4, 5].map((number) => pool.run(number));
  await expect(pool.run(6)).rejects.toThrow(PoolFull);
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10]);
  await pool.close();
});

test('schedules callers fairly and drops tasks of heavy callers when full', async () => {
  const pool = createWorkerPool<number, number>(address, { ...bounds, threads: 1 });
  const done: string[] = [];
  const ask = (number: number, from: string) =>
    pool.run(number, from).then(
      () => done.push(`${from} ${number}`),
      () => done.push(`${from} ${number} refused`),
    );
  await Promise.all([
    ...[1, 2, 3, 4].map((number) => ask(number, 'much')),
    ask(5, 'little'),
    ask(6, 'little'),
  ]);
  expect(done).toEqual([
    'much 4 refused',
    'much 3 refused',
    'much 1',
    'little 5',
    'much 2',
    'little 6',
  ]);
  await pool.close();
});

test('fails only the task of a crashed thread', async () => {
  const pool = createWorkerPool<number, number>(address, { ...bounds, threads: 1 });
  const [failed, fine] = [pool.run(-1), pool.run(7)];
  await expect(failed).rejects.toThrow(WorkerFailed);
  expect(await fine).toBe(14);
  await pool.close();
});

test('finishes running tasks when closed, and rejects waiting ones', async () => {
  const pool = createWorkerPool<number, number>(address, { ...bounds, threads: 1 });
  const answers = Promise.allSettled([pool.run(1), pool.run(2)]);
  await pool.close();
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test('starts a new thread for a task that arrives while an idle one is terminating', async () => {
  const idleMs = 1;
  const pool = createWorkerPool<number, number>(address, { ...bounds, threads: 1, idleMs });
  for (const number of Array(30).keys()) {
    expect(await pool.run(number)).toBe(number * 2);
    await wait(idleMs);
  }
  await pool.close();
});
