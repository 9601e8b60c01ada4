import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runProcess } from './run-process.ts';
import { outOfMemory, runWorker, WorkerFailed } from './run-worker.ts';

type Limits = { timeLimit?: number; heapLimit?: number; memoryLimit?: number };
type Run = (code: string, limits?: Limits) => Promise<unknown>;

const addressOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const inThread: Run = (code, limits = {}) => {
  const data = new Uint8Array([1, 2, 3]);
  const transferList = [data.buffer];
  const task = { data, transferList, timeLimit: 10_000, heapLimit: 64, ...limits };
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
])('in a separate %s', (_kind, run) => {
  test('resolves with the first message', async () => {
    const code = `${start} parentPort.postMessage(workerData.length); setInterval(() => {}, 1000);`;
    expect(await run(code)).toBe(3);
  });

  test('hides the environment from the worker', async () => {
    expect(await run(`${start} parentPort.postMessage(Object.keys(process.env));`)).toEqual([]);
  });

  test.each<[string, string, Limits?]>([
    ['throws', 'throw new Error("no");'],
    ['ends without a message', ''],
    ['never ends', 'for (;;) {}', { timeLimit: 300 }],
    ['takes too much memory', 'const all = []; for (;;) all.push({});', { heapLimit: 16 }],
    [
      'takes too much memory outside its heap',
      `${start} const all = new Uint8Array(2e8).fill(1); setTimeout(() => parentPort.postMessage(all.length), 3000);`,
      { memoryLimit: 64 },
    ],
  ])('fails if the worker %s', async (_, code, limits = {}) => {
    await expect(run(code, limits)).rejects.toThrow(WorkerFailed);
  });
});

describe('a child process', () => {
  test('does not crash the server if it runs out of memory in one step', async () => {
    const code = "JSON.parse('[' + '{},'.repeat(1e6) + '1]');";
    await expect(inProcess(code, { heapLimit: 16 })).rejects.toMatchObject({
      cause: { code: outOfMemory },
    });
  });

  test.each(['before', 'after'])('ends when its task is cancelled %s it starts', async (when) => {
    const cancelled = new AbortController();
    if (when === 'before') {
      cancelled.abort();
    }
    const { signal } = cancelled;
    const task = { data: null, timeLimit: 60_000, heapLimit: 64, signal };
    const running = runProcess(addressOf('for (;;) {}'), task);
    cancelled.abort();
    await expect(running).rejects.toThrow(WorkerFailed);
  });

  test('inherits no file descriptors except its channel', async () => {
    const code = `${start} import { readdirSync, readlinkSync } from 'node:fs';
      const open = readdirSync('/proc/self/fd').flatMap((fd) => {
        try { return [readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; }
      });
      parentPort.postMessage(open.filter((to) => to.startsWith('/') && to !== '/dev/null'));`;
    const file = await open(fileURLToPath(import.meta.url));
    onTestFinished(() => file.close());
    expect(await inProcess(code)).toEqual([]);
  });
});
