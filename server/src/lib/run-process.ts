import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { WorkerFailed, type WorkerLimits } from './run-worker.ts';
import { workerAddress } from './worker-address.ts';

/** What the child process is sent. */
export interface ProcessTask {
  /** URL of the worker's script. */
  address: string;
  data: unknown;
  limits: WorkerLimits;
}

/** What it sends back: errors lose their class on the way. */
export type ProcessAnswer = { answer: unknown } | { failed: string; code: string | undefined };

/** Milliseconds beyond the time limit of the worker, for a child process to start and to send. */
const graceMs = 5000;

/**
 * Runs a worker as `runWorker` does, in a child process that ends with it. All its memory is free again: a
 * process keeps much of what a thread has taken, and a thread that runs out of memory in one step ends its process.
 * It costs about 50 ms and 40 MB more than a thread. Throws `WorkerFailed`.
 *
 * @param data is copied; a structured clone has to be possible
 */
export async function runProcess<Answer>(
  address: URL,
  { data, ...limits }: WorkerLimits & { data: unknown },
): Promise<Answer> {
  const child = fork(fileURLToPath(workerAddress('worker-process')), [], {
    // It has no use for the keys in there.
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'close');
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const fail = (message: string) => (cause?: unknown) =>
        reject(new WorkerFailed(message, { cause }));
      timer = setTimeout(fail('It took too long.'), limits.timeLimit + graceMs);
      child.on('error', fail('It failed.'));
      child.once('close', fail('It ended without an answer.'));
      child.once('message', (message: ProcessAnswer) => {
        if ('answer' in message) {
          resolve(message.answer as Answer);
        } else {
          fail(message.failed)(Object.assign(new Error(message.failed), { code: message.code }));
        }
      });
      const task: ProcessTask = { address: address.href, data, limits };
      child.send(task, (error) => error && fail('It could not be sent its task.')(error));
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    await ended;
  }
}
