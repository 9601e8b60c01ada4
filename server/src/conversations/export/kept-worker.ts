import { Worker } from 'node:worker_threads';
import { WorkerFailed } from '../../lib/run-worker.ts';

/** A thread that does one task after the other for whoever keeps it: to start one takes longer than most tasks. */
export interface KeptWorker<Task, Answer> {
  /** One at a time. Throws `WorkerFailed` where there is no answer in time; the next task gets a new thread. */
  run(task: Task): Promise<Answer>;
  close(): Promise<void>;
}

interface Limits {
  /** Milliseconds for a task. */
  timeLimit: number;
  /** Megabytes of heap. */
  heapLimit: number;
}

/** @param address of a script that answers each message with one; it is started when it is first asked */
export function keptWorker<Task, Answer>(
  address: URL,
  { timeLimit, heapLimit }: Limits,
): KeptWorker<Task, Answer> {
  let worker: Worker | undefined;
  let settle: Settle<Answer> | undefined;
  const close = async () => {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const failing = (message: string) => (cause?: unknown) =>
    settle?.reject(new WorkerFailed(message, { cause }));
  const start = () =>
    new Worker(address, {
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
      // It has no use for the keys in there.
      env: {},
      execArgv: [],
    })
      .on('message', (answer: Answer) => settle?.resolve(answer))
      .on('error', failing('It failed.'))
      .on('exit', failing('It ended without an answer.'));
  return {
    close,
    run: async (task) => {
      worker ??= start();
      worker.postMessage(task);
      const timer = setTimeout(failing('It took too long.'), timeLimit);
      try {
        return await new Promise<Answer>((resolve, reject) => {
          settle = { resolve, reject };
        });
      } catch (error) {
        await close();
        throw error;
      } finally {
        settle = undefined;
        clearTimeout(timer);
      }
    },
  };
}

interface Settle<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}
