import { expect, test } from 'vitest';
import { createSemaphore, createSemaphores } from './semaphore.ts';

const never = new AbortController().signal;

/** Asks for room, and says in `entered` when it has it. */
function asking(semaphore: ReturnType<typeof createSemaphore>, entered: string[]) {
  return async (name: string, size: number, signal = never) => {
    const leave = await semaphore.take(size, signal);
    entered.push(leave ? name : `${name} refused`);
    return leave;
  };
}

test('as many enter as there is room for, the others in the order of asking', async () => {
  const entered: string[] = [];
  const ask = asking(createSemaphore(10, 5), entered);
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

test('what is larger than all there is enters alone', async () => {
  const entered: string[] = [];
  const ask = asking(createSemaphore(10, 5), entered);
  const leave = await ask('large', 100);
  const small = ask('small', 1);
  leave?.();
  await small;
  expect(entered).toEqual(['large', 'small']);
});

test('one more than may wait is refused', async () => {
  const entered: string[] = [];
  const ask = asking(createSemaphore(1, 1), entered);
  const leave = await ask('in', 1);
  const waits = ask('waits', 1);
  await ask('third', 1);
  leave?.();
  await waits;
  expect(entered).toEqual(['in', 'third refused', 'waits']);
});

test('one that goes away makes way for those behind it', async () => {
  const entered: string[] = [];
  const ask = asking(createSemaphore(10, 5), entered);
  await ask('in', 5);
  const patience = new AbortController();
  const large = ask('large', 10, patience.signal);
  const small = ask('small', 5);
  patience.abort(new Error('gone'));
  await expect(large).rejects.toThrow('gone');
  await small;
  expect(entered).toEqual(['in', 'small']);
});

test('of many owners each has room of their own, again and again', async () => {
  const semaphoreOf = createSemaphores(10, 0);
  const leave = await semaphoreOf('una').take(10, never);
  expect(await semaphoreOf('una').take(1, never)).toBeUndefined();
  const other = await semaphoreOf('ben').take(10, never);
  leave?.();
  leave?.();
  expect(await semaphoreOf('una').take(10, never)).toBeDefined();
  expect(await semaphoreOf('ben').take(1, never)).toBeUndefined();
  other?.();
});
