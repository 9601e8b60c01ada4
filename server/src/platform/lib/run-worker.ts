import { Worker } from 'node:worker_threads';

export interface WorkerLimits {
  /** Timeout in milliseconds. */
  timeLimit: number;
  /**
   * Heap limit in megabytes. A last resort: a single large allocation, e.g. in `JSON.parse`, may
   * crash the whole process.
   */
  heapLimit: number;
  /** Megabytes by which the process may grow meanwhile: typed arrays do not count as heap. */
  memoryLimit?: number;
}

interface WorkerTask extends WorkerLimits {
  data: unknown;
  /** Buffers in `data` to transfer instead of copying. */
  transferList: ArrayBuffer[];
}

/** Node's code for a thread that exhausted its heap; we also use it for memory outside the heap. */
export const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY';

const mebibyte = 1024 * 1024;
const lookMs = 100;

/** The worker gave no result: it threw, timed out or used too much memory. */
export class WorkerFailed extends Error {}

/**
 * Runs a task in its own thread and resolves with its first message. Throws `WorkerFailed` if there
 * is none.
 */
export async function runWorker<Answer>(address: URL, task: WorkerTask): Promise<Answer> {
  const worker = new Worker(address, {
    workerData: task.data,
    transferList: task.transferList,
    resourceLimits: { maxOldGenerationSizeMb: task.heapLimit },
    // Keeps API keys out of the worker.
    env: {},
    execArgv: [],
  });
  let timer: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const fail = (message: string) => (cause?: unknown) =>
        reject(new WorkerFailed(message, { cause }));
      timer = setTimeout(fail('It took too long.'), task.timeLimit);
      if (task.memoryLimit !== undefined) {
        watch = watchMemory(task.memoryLimit, fail('It took too much memory.'));
      }
      worker.once('message', resolve);
      worker.on('error', fail('It failed.'));
      worker.once('exit', fail('It ended without an answer.'));
    });
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    await worker.terminate();
  }
}

/** Measures the whole process: with two workers at once, either may be stopped for the other. */
function watchMemory(limit: number, end: (cause: Error) => void) {
  const before = process.memoryUsage.rss();
  return setInterval(() => {
    if (process.memoryUsage.rss() - before > limit * mebibyte) {
      end(Object.assign(new Error(), { code: outOfMemory }));
    }
  }, lookMs);
}
