import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { createSemaphore, createSemaphores } from '../lib/semaphore.ts';
import { disconnectedProblem, disconnectSignal } from './disconnect-signal.ts';
import { rateLimitKey } from './rate-limit.ts';

/** Limits of a queue: concurrency and waiting requests. */
export interface QueueLimits {
  maxConcurrent: number;
  maxWaiting: number;
  /** Running, waiting and undelivered requests of one user or, when anonymous, of one address. */
  maxPerCaller: number;
  /** More requests of one caller, which wait until one of these has ended; 0 by default. */
  maxWaitingPerCaller?: number;
  /** Plural noun for error messages. */
  label: string;
}

const retryAfter = 2;

/** Runs `act` when it reaches the head of the queue. The signal aborts when the client disconnects. */
export type Enqueue = <Result>(
  request: Request,
  act: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result>;

/**
 * Runs a few requests at a time, first in, first out, so that the event loop stays responsive. Limits the
 * slots per caller, and frees those of disconnected clients.
 */
export function boundedQueue({
  maxConcurrent,
  maxWaiting,
  maxPerCaller,
  maxWaitingPerCaller = 0,
  label,
}: QueueLimits): Enqueue {
  const semaphore = createSemaphore(maxConcurrent, maxWaiting);
  const ofCaller = createSemaphores(maxPerCaller, maxWaitingPerCaller);
  const rejectAll = () =>
    problem('not-ready', `Too many ${label} are running. Try again in a moment.`, { retryAfter });
  /** Requests that wait for another one of their caller. */
  let queued = 0;
  const takeOwn = async (key: string, signal: AbortSignal) => {
    if (queued >= maxWaiting) {
      throw rejectAll();
    }
    queued += 1;
    try {
      return await ofCaller(key).take(1, signal);
    } finally {
      queued -= 1;
    }
  };
  return async (request, act) => {
    const signal = disconnectSignal(request);
    try {
      const end = await takeOwn(rateLimitKey(request), signal);
      if (!end) {
        const most = maxPerCaller + maxWaitingPerCaller;
        const detail = `${most} ${label} of yours are already running. Wait for one to finish.`;
        throw problem('too-many-requests', detail, { retryAfter });
      }
      // Not before the answer is delivered.
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) {
        end();
      }
      const leave = await semaphore.take(1, signal);
      if (!leave) {
        throw rejectAll();
      }
      return await act(signal).finally(leave);
    } catch (error) {
      throw signal.aborted ? disconnectedProblem(error) : error;
    }
  };
}

/** Exports compress while they are sent. No single caller can block the others. */
export const exportLimits: QueueLimits = {
  maxConcurrent: 4,
  maxWaiting: 20,
  maxPerCaller: 3,
  label: 'exports',
};
