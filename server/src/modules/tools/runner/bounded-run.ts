import { availableParallelism } from 'node:os';
import { createSemaphore } from '../../../platform/lib/semaphore.ts';
import { type Runner, RunnerFailure } from './runner.ts';

const maxConcurrent = Math.max(2, availableParallelism());
const maxWaiting = 50;

/** Limits concurrent scripts to the number of processors; others wait in a bounded queue. */
export function boundedRun(run: Runner['run']): Runner['run'] {
  const semaphore = createSemaphore(maxConcurrent, maxWaiting);
  return async (job, signal) => {
    const release = await semaphore.take(1, signal);
    if (!release) {
      throw new RunnerFailure('Too many scripts are waiting to be run. Try again later.');
    }
    try {
      return await run(job, signal);
    } finally {
      release();
    }
  };
}
