import { availableParallelism } from 'node:os';
import { createSemaphore } from '../lib/semaphore.ts';
import { type Runner, RunnerFailure } from './runner.ts';

const atOnce = Math.max(2, availableParallelism());
const mostWaiting = 50;

/** The same, for so many scripts at once as there are processors; others wait. */
export function boundedRun(run: Runner['run']): Runner['run'] {
  const places = createSemaphore(atOnce, mostWaiting);
  return async (job, signal) => {
    const leave = await places.take(1, signal);
    if (!leave) {
      throw new RunnerFailure('Too many scripts are waiting to be run. Try again later.');
    }
    try {
      return await run(job, signal);
    } finally {
      leave();
    }
  };
}
