import { expect, test } from 'vitest';
import { visitAll } from './visit-all.ts';

interface Node {
  name: string;
  below: Node[];
}

const node = (name: string, ...below: Node[]): Node => ({ name, below });
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));

test('visits what visits give back, never more at a time than it may', async () => {
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

test('ends at once when there is nothing to visit', async () => {
  await visitAll([], 2, () => Promise.reject(new Error('visited')));
});

test('fails when a visit does', async () => {
  const failing = visitAll([node('a', node('b'))], 2, async ({ name, below }) => {
    if (name === 'b') {
      throw new Error('No b.');
    }
    return below;
  });
  await expect(failing).rejects.toThrow('No b.');
});
