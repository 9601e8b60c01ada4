import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ignore } from './ignore.ts';
import { outOfMemory, WorkerFailed, type WorkerLimits } from './run-worker.ts';
import { workerAddress } from './worker-address.ts';

/** The message to the child process. */
export interface ProcessTask {
  /** URL of the worker's script. */
  address: string;
  data: unknown;
  limits: WorkerLimits;
}

/** The message from the child process. An error loses its class on the way. */
export type ProcessAnswer = { answer: unknown } | { failed: string; code: string | undefined };

interface Task extends WorkerLimits {
  data: unknown;
  /** Ends the child process when its answer is no longer wanted. */
  signal?: AbortSignal;
}

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
  { data, signal, ...limits }: Task,
): Promise<Answer> {
  const child = start(signal);
  const ended = new Promise((resolve) => child.once('close', resolve));
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const fail = (message: string) => (cause?: unknown) =>
        reject(new WorkerFailed(message, { cause }));
      timer = setTimeout(fail('It took too long.'), limits.timeLimit + graceMs);
      child.on('error', fail('It failed.'));
      child.once('close', (_code, killedBy) =>
        // Nothing but a lack of memory kills it before it has answered.
        fail('It ended without an answer.')(killedBy && { code: outOfMemory }),
      );
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

/** Starts the child process. Throws `WorkerFailed`, as where the system has no process or descriptor left. */
function start(signal: AbortSignal | undefined): ChildProcess {
  let child: ChildProcess;
  try {
    child = fork(fileURLToPath(workerAddress('worker-process')), [], {
      // It has no use for the keys in there.
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      killSignal: 'SIGKILL',
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    throw new WorkerFailed('It could not be started.', { cause });
  }
  if (child.pid === undefined) {
    child.on('error', ignore);
    throw new WorkerFailed('It could not be started.');
  }
  return child;
}
