import { describe, expect, test } from 'vitest';
import { createFairSemaphore, createSemaphore, createSemaphores } from './semaphore.ts';

const never = new AbortController().signal;

/** Acquires permits and records in `entered` when they are granted. */
function acquiring(semaphore: ReturnType<typeof createSemaphore>, entered: string[]) {
  return async (name: string, size: number, signal = never) => {
    const release = await semaphore.take(size, signal);
    entered.push(release ? name : `${name} refused`);
    return release;
  };
}

test('grants permits up to the capacity, in FIFO order', async () => {
  const entered: string[] = [];
  const ask = acquiring(createSemaphore(10, 5), entered);
  const [a, b] = await Promise.all([ask('a', 6), ask('b', 4)]);
  const c = ask('c', 5);
  const d = ask('d', 1);
  expect(entered).toEqual(['a', 'b']);
  b?.();
  b?.();
  await Promise.resolve();
  expect(entered).toEqual(['a', 'b']);
  a?.();
  await Promise.all([c, d]);
  expect(entered).toEqual(['a', 'b', 'c', 'd']);
});

test('runs a task larger than the capacity alone', async () => {
  const entered: string[] = [];
  const ask = acquiring(createSemaphore(10, 5), entered);
  const release = await ask('large', 100);
  const small = ask('small', 1);
  release?.();
  await small;
  expect(entered).toEqual(['large', 'small']);
});

test('rejects when the queue is full', async () => {
  const entered: string[] = [];
  const ask = acquiring(createSemaphore(1, 1), entered);
  const release = await ask('in', 1);
  const waits = ask('waits', 1);
  await ask('third', 1);
  release?.();
  await waits;
  expect(entered).toEqual(['in', 'third refused', 'waits']);
});

test('unblocks the queue when a waiting task is aborted', async () => {
  const entered: string[] = [];
  const ask = acquiring(createSemaphore(10, 5), entered);
  await ask('in', 5);
  const patience = new AbortController();
  const large = ask('large', 10, patience.signal);
  const small = ask('small', 5);
  patience.abort(new Error('gone'));
  await expect(large).rejects.toThrow('gone');
  await small;
  expect(entered).toEqual(['in', 'small']);
});

test('gives each owner a separate capacity', async () => {
  const semaphoreOf = createSemaphores(10, 0);
  const release = await semaphoreOf('una').take(10, never);
  expect(await semaphoreOf('una').take(1, never)).toBeUndefined();
  const other = await semaphoreOf('ben').take(10, never);
  release?.();
  release?.();
  expect(await semaphoreOf('una').take(10, never)).toBeDefined();
  expect(await semaphoreOf('ben').take(1, never)).toBeUndefined();
  other?.();
});

test('one that has gone before it asks is refused', async () => {
  const semaphore = createSemaphore(1, 5);
  await semaphore.take(1, never);
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(semaphore.take(1, gone)).rejects.toThrow('gone');
});

describe('a fair semaphore', () => {
  const queue = { maxWaiting: 1, maxOwnersWaiting: 1 };

  test('admits one job per owner, so that one owner never delays others', async () => {
    const take = createFairSemaphore(2, queue);
    const [first, other] = await Promise.all([take('ann', never), take('ben', never)]);
    let isAdmitted = false;
    const second = take('ann', never).then((release) => {
      isAdmitted = true;
      return release;
    });
    expect(await take('ann', never)).toBeUndefined();
    other?.();
    await Promise.resolve();
    expect(isAdmitted).toBe(false);
    first?.();
    expect(await second).toBeTypeOf('function');
  });

  test('releases the owner of a job that is refused or aborted', async () => {
    const take = createFairSemaphore(1, queue);
    const running = await take('ann', never);
    const aborted = new AbortController();
    const waiting = take('ben', aborted.signal);
    expect(await take('cid', never)).toBeUndefined();
    aborted.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    running?.();
    expect(await take('ben', never)).toBeTypeOf('function');
  });
});
