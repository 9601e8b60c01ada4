import { describe, expect, test } from 'vitest';
import { runProcess } from './run-process.ts';
import { runWorker, WorkerFailed } from './run-worker.ts';

type Limits = { timeLimit?: number; heapLimit?: number; memoryLimit?: number };
type Run = (code: string, limits?: Limits) => Promise<unknown>;

const addressOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const inThread: Run = (code, limits = {}) => {
  const data = new Uint8Array([1, 2, 3]);
  const handedOver = [data.buffer];
  const task = { data, handedOver, timeLimit: 10_000, heapLimit: 64, ...limits };
  return runWorker(addressOf(code), task);
};

const inProcess: Run = (code, limits = {}) =>
  runProcess(addressOf(code), {
    ...{ data: new Uint8Array([1, 2, 3]), timeLimit: 10_000, heapLimit: 64 },
    ...limits,
  });

const start = "import { parentPort, workerData } from 'node:worker_threads';";

describe.each([
  ['thread', inThread],
  ['process', inProcess],
])('in a %s of its own', (_kind, run) => {
  test('the first message is the answer', async () => {
    const code = `${start} parentPort.postMessage(workerData.length); setInterval(() => {}, 1000);`;
    expect(await run(code)).toBe(3);
  });

  test('a worker sees nothing of the environment', async () => {
    expect(await run(`${start} parentPort.postMessage(Object.keys(process.env));`)).toEqual([]);
  });

  test.each<[string, string, Limits?]>([
    ['throws', 'throw new Error("no");'],
    ['ends without a message', ''],
    ['goes on for ever', 'for (;;) {}', { timeLimit: 300 }],
    ['takes too much memory', 'const all = []; for (;;) all.push({});', { heapLimit: 16 }],
    [
      'takes too much memory beside its heap',
      `${start} const all = new Uint8Array(2e8).fill(1); setTimeout(() => parentPort.postMessage(all.length), 3000);`,
      { memoryLimit: 64 },
    ],
  ])('a worker that %s has failed', async (_, code, limits = {}) => {
    await expect(run(code, limits)).rejects.toThrow(WorkerFailed);
  });
});
