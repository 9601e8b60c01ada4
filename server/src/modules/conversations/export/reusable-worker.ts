import { Worker } from 'node:worker_threads';
import { WorkerFailed } from '../../../platform/lib/run-worker.ts';

/** A worker thread that is reused for consecutive tasks, because starting one takes longer than most tasks. */
export interface ReusableWorker<Task, Answer> {
  /** Runs one task at a time. Throws `WorkerFailed` on failure or timeout; the next task gets a new thread. */
  run(task: Task): Promise<Answer>;
  close(): Promise<void>;
}

interface Limits {
  /** Timeout of a task in milliseconds. */
  timeLimit: number;
  /** Maximum heap size in megabytes. */
  heapLimit: number;
}

/** @param address URL of a script that answers each message with one; started on first use */
export function createReusableWorker<Task, Answer>(
  address: URL,
  { timeLimit, heapLimit }: Limits,
): ReusableWorker<Task, Answer> {
  let worker: Worker | undefined;
  let pending: Pending<Answer> | undefined;
  const close = async () => {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const rejectWith = (message: string) => (cause?: unknown) =>
    pending?.reject(new WorkerFailed(message, { cause }));
  const start = () =>
    new Worker(address, {
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
      // The worker must not see secrets in the environment.
      env: {},
      execArgv: [],
    })
      .on('message', (answer: Answer) => pending?.resolve(answer))
      .on('error', rejectWith('It failed.'))
      .on('exit', rejectWith('It ended without an answer.'));
  return {
    close,
    run: async (task) => {
      worker ??= start();
      worker.postMessage(task);
      const timer = setTimeout(rejectWith('It took too long.'), timeLimit);
      try {
        return await new Promise<Answer>((resolve, reject) => {
          pending = { resolve, reject };
        });
      } catch (error) {
        await close();
        throw error;
      } finally {
        pending = undefined;
        clearTimeout(timer);
      }
    },
  };
}

interface Pending<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}
