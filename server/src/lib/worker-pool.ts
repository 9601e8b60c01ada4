import { Worker } from 'node:worker_threads';
import { ignore } from './ignore.ts';
import { WorkerFailed } from './run-worker.ts';

/** Does tasks in threads of its own, each of which goes from one task to the next. */
export interface WorkerPool<Task, Answer> {
  /**
   * Takes turns between those who ask, so that whoever asks for much waits behind whoever asks for
   * little. Throws `PoolFull` or `WorkerFailed`.
   *
   * @param from who asks, such as an address
   */
  run(task: Task, from?: string): Promise<Answer>;
  /** Ends the threads; what has no answer yet fails. */
  close(): Promise<void>;
}

interface Bounds {
  /** At once; each is started when it is wanted. */
  threads: number;
  /** Tasks that wait for a thread. */
  waiting: number;
  /** A thread with nothing to do for so many milliseconds ends: its memory is free again. */
  idleMs: number;
}

/** As many tasks wait as may, of others who ask for no more than this one. */
export class PoolFull extends Error {}

interface Job<Task, Answer> {
  task: Task;
  from: string;
  /** How many of the same one were before it. */
  round: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

interface Thread<Task, Answer> {
  worker: Worker;
  job: Job<Task, Answer> | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** @param address of a script that answers each message with one */
export function createWorkerPool<Task, Answer>(
  address: URL,
  bounds: Bounds,
): WorkerPool<Task, Answer> {
  const waiting: Job<Task, Answer>[] = [];
  const threads = new Set<Thread<Task, Answer>>();
  const queue = (task: Task, from: string) =>
    new Promise<Answer>((resolve, reject) => {
      const isOwn = (job: Job<Task, Answer> | undefined) => job?.from === from;
      const round =
        waiting.filter(isOwn).length + [...threads].filter(({ job }) => isOwn(job)).length;
      const later = waiting.findIndex((job) => job.round > round);
      const index = later < 0 ? waiting.length : later;
      waiting.splice(index, 0, { task, from, round, resolve, reject });
    });
  const giveOut = () => {
    for (let thread = freeThread(); thread && waiting.length > 0; thread = freeThread()) {
      give(thread, waiting.shift());
    }
  };
  const freeThread = () => {
    const free = [...threads].find(({ job }) => job === undefined);
    return free ?? (threads.size < bounds.threads && waiting.length > 0 ? start() : undefined);
  };
  const end = (thread: Thread<Task, Answer>) => {
    // It takes a moment to end, and must be given nothing meanwhile.
    threads.delete(thread);
    thread.worker.terminate().catch(ignore);
  };
  const start = () => {
    const thread = startThread<Task, Answer>(address);
    threads.add(thread);
    const fail = (cause?: unknown) => {
      threads.delete(thread);
      take(thread)?.reject(new WorkerFailed('It ended without an answer.', { cause }));
      giveOut();
    };
    thread.worker.on('error', fail).on('exit', fail);
    thread.worker.on('message', (answer: Answer) => {
      take(thread)?.resolve(answer);
      thread.idle = setTimeout(() => end(thread), bounds.idleMs).unref();
      giveOut();
    });
    return thread;
  };
  return {
    run: (task, from = '') => {
      const answer = queue(task, from);
      giveOut();
      if (waiting.length > bounds.waiting) {
        waiting.pop()?.reject(new PoolFull());
      }
      return answer;
    },
    close: async () => {
      for (const { reject } of waiting.splice(0)) {
        reject(new WorkerFailed('It was not begun.'));
      }
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread<Task, Answer>(address: URL): Thread<Task, Answer> {
  // It has no use for the keys in the environment.
  const worker = new Worker(address, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  return { worker, job: undefined, idle: undefined };
}

function give<Task, Answer>(
  thread: Thread<Task, Answer>,
  job: Job<Task, Answer> | undefined,
): void {
  clearTimeout(thread.idle);
  thread.job = job;
  // One that does nothing keeps no process from its end.
  thread.worker.ref();
  thread.worker.postMessage(job?.task);
}

function take<Task, Answer>(thread: Thread<Task, Answer>): Job<Task, Answer> | undefined {
  const { job } = thread;
  thread.job = undefined;
  thread.worker.unref();
  return job;
}
