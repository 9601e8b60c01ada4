import { Worker } from 'node:worker_threads';

export interface WorkerLimits {
  /** After so many milliseconds it is stopped. */
  timeLimit: number;
  /**
   * Megabytes of heap after which it is stopped. A last resort: what takes much more in one step, as
   * `JSON.parse` may, ends the whole process.
   */
  heapLimit: number;
  /** Megabytes that the process may grow by meanwhile: arrays of bytes do not count as heap. */
  memoryLimit?: number;
}

interface WorkerTask extends WorkerLimits {
  /** The `workerData` of the worker. */
  data: unknown;
  /** The buffers of `data` that are transferred instead of copied. */
  handedOver: ArrayBuffer[];
}

/** Node's code for a thread that has used up its heap; also ours for one that took too much beside it. */
export const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY';

const mebibyte = 1024 * 1024;
const lookMs = 100;

/** The worker came to no answer: it threw, or took too long or too much memory. */
export class WorkerFailed extends Error {}

/**
 * Does one task in a thread of its own, and gives the first message from there. Throws `WorkerFailed`
 * when there is none.
 */
export async function runWorker<Answer>(address: URL, task: WorkerTask): Promise<Answer> {
  const worker = new Worker(address, {
    workerData: task.data,
    transferList: task.handedOver,
    resourceLimits: { maxOldGenerationSizeMb: task.heapLimit },
    // It has no use for the keys in there.
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

/** The process knows of all its threads together: of two at once, both may have to go for one. */
function watchMemory(limit: number, end: (cause: Error) => void) {
  const before = process.memoryUsage.rss();
  return setInterval(() => {
    if (process.memoryUsage.rss() - before > limit * mebibyte) {
      end(Object.assign(new Error(), { code: outOfMemory }));
    }
  }, lookMs);
}
