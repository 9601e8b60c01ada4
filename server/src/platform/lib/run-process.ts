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
 * Runs a worker like `runWorker`, but in a child process of its own. This releases all memory at the end, whereas a
 * process retains much of what its threads allocated. A thread that runs out of memory can also crash its process.
 * Costs about 50 ms and 40 MB more than a thread. Throws `WorkerFailed`.
 *
 * @param data is copied by structured clone
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
        // Before it answers, it is only killed when memory runs out.
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
      child.send(task, (error) => error && fail('The task could not be sent.')(error));
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    await ended;
  }
}

/** Starts the child process. Throws `WorkerFailed`, for example if the system has no processes or descriptors left. */
function start(signal: AbortSignal | undefined): ChildProcess {
  let child: ChildProcess;
  try {
    child = fork(fileURLToPath(workerAddress('worker-process')), [], {
      // It does not need the API keys in the environment.
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
