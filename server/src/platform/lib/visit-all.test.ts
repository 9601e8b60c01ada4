import { expect, test } from 'vitest';
import { visitAll } from './visit-all.ts';

interface Node {
  name: string;
  below: Node[];
}

const node = (name: string, ...below: Node[]): Node => ({ name, below });
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));

test('visits returned nodes recursively with limited concurrency', async () => {
  const tree = node('a', node('b', node('c'), node('d'), node('e')), node('f', node('g')));
  const visited: string[] = [];
  const running: number[] = [];
  let now = 0;
  await visitAll([tree], 2, async ({ name, below }) => {
    now += 1;
    running.push(now);
    await yieldToEventLoop();
    now -= 1;
    visited.push(name);
    return below;
  });
  expect(visited.sort().join('')).toBe('abcdefg');
  expect(Math.max(...running)).toBe(2);
});

test('resolves immediately without nodes', async () => {
  await visitAll([], 2, () => Promise.reject(new Error('visited')));
});

test('rejects when a visit fails', async () => {
  const failing = visitAll([node('a', node('b'))], 2, async ({ name, below }) => {
    if (name === 'b') {
      throw new Error('No b.');
    }
    return below;
  });
  await expect(failing).rejects.toThrow('No b.');
});
