import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ignore } from './ignore.ts';
import { WorkerFailed } from './run-worker.ts';

/** A pool of threads, each reused for many tasks. */
export interface WorkerPool<Task, Answer> {
  /**
   * Schedules callers fairly (round-robin), so that heavy callers wait behind light ones. Throws
   * `PoolFull` or `WorkerFailed`.
   *
   * @param from the caller, such as an IP address
   */
  run(task: Task, from?: string): Promise<Answer>;
  /**
   * Rejects waiting tasks, waits a few seconds for running ones, and terminates the threads. A thread that is terminated
   * within a call of a native module, such as a query, can end the process.
   */
  close(): Promise<void>;
}

interface Bounds {
  /** Maximum threads, started on demand. */
  threads: number;
  /** Maximum queued tasks. */
  waiting: number;
  /** An idle thread is terminated after this time, to free its memory. */
  idleMs: number;
}

/** The queue is full and no heavier caller could be dropped. */
export class PoolFull extends Error {}

interface Job<Task, Answer> {
  task: Task;
  from: string;
  /** Number of the caller's earlier pending tasks. */
  round: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

interface Thread<Task, Answer> {
  worker: Worker;
  job: Job<Task, Answer> | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** For running tasks when the pool is closed, in milliseconds. */
const maxCloseMs = 5000;

/** @param address of a script that answers each message with one message */
export function createWorkerPool<Task, Answer>(
  address: URL,
  bounds: Bounds,
): WorkerPool<Task, Answer> {
  const waiting: Job<Task, Answer>[] = [];
  const threads = new Set<Thread<Task, Answer>>();
  const answers = new Set<Promise<Answer>>();
  const queue = (task: Task, from: string) =>
    new Promise<Answer>((resolve, reject) => {
      const isOwn = (job: Job<Task, Answer> | undefined) => job?.from === from;
      const round =
        waiting.filter(isOwn).length + [...threads].filter(({ job }) => isOwn(job)).length;
      const later = waiting.findIndex((job) => job.round > round);
      const index = later < 0 ? waiting.length : later;
      waiting.splice(index, 0, { task, from, round, resolve, reject });
    });
  const dispatch = () => {
    for (let thread = freeThread(); thread && waiting.length > 0; thread = freeThread()) {
      assign(thread, waiting.shift());
    }
  };
  const freeThread = () => {
    const free = [...threads].find(({ job }) => job === undefined);
    return free ?? (threads.size < bounds.threads && waiting.length > 0 ? start() : undefined);
  };
  const end = (thread: Thread<Task, Answer>) => {
    // Terminating takes a moment; it must not get tasks meanwhile.
    threads.delete(thread);
    thread.worker.terminate().catch(ignore);
  };
  const start = () => {
    const thread = startThread<Task, Answer>(address);
    threads.add(thread);
    const fail = (cause?: unknown) => {
      threads.delete(thread);
      release(thread)?.reject(new WorkerFailed('It ended without an answer.', { cause }));
      dispatch();
    };
    thread.worker.on('error', fail).on('exit', fail);
    thread.worker.on('message', (answer: Answer) => {
      release(thread)?.resolve(answer);
      thread.idle = setTimeout(() => end(thread), bounds.idleMs).unref();
      dispatch();
    });
    return thread;
  };
  return {
    run: (task, from = '') => {
      const answer = queue(task, from);
      answers.add(answer);
      answer.catch(ignore).finally(() => answers.delete(answer));
      dispatch();
      if (waiting.length > bounds.waiting) {
        waiting.pop()?.reject(new PoolFull());
      }
      return answer;
    },
    close: async () => {
      for (const { reject } of waiting.splice(0)) {
        reject(new WorkerFailed('It was not started.'));
      }
      await Promise.race([
        Promise.allSettled(answers),
        wait(maxCloseMs, undefined, { ref: false }),
      ]);
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread<Task, Answer>(address: URL): Thread<Task, Answer> {
  // Keeps API keys out of the worker.
  const worker = new Worker(address, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  return { worker, job: undefined, idle: undefined };
}

function assign<Task, Answer>(
  thread: Thread<Task, Answer>,
  job: Job<Task, Answer> | undefined,
): void {
  clearTimeout(thread.idle);
  thread.job = job;
  // Idle threads must not keep the process alive.
  thread.worker.ref();
  thread.worker.postMessage(job?.task);
}

function release<Task, Answer>(thread: Thread<Task, Answer>): Job<Task, Answer> | undefined {
  const { job } = thread;
  thread.job = undefined;
  thread.worker.unref();
  return job;
}
