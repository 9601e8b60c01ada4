import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { createSemaphore } from '../lib/semaphore.ts';
import { disconnectedProblem, disconnectSignal } from './disconnect-signal.ts';
import { rateLimitKey } from './rate-limit.ts';

/** Limits of a queue: concurrency and waiting requests. */
export interface QueueLimits {
  maxConcurrent: number;
  maxWaiting: number;
  /** Running, waiting and undelivered requests of one user or, when anonymous, of one address. */
  maxPerCaller: number;
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
  label,
}: QueueLimits): Enqueue {
  const semaphore = createSemaphore(maxConcurrent, maxWaiting);
  const open = new Map<string, number>();
  return async (request, act) => {
    const signal = disconnectSignal(request);
    const key = rateLimitKey(request);
    if ((open.get(key) ?? 0) >= maxPerCaller) {
      const detail = `${maxPerCaller} ${label} of yours are already running. Wait for one to finish.`;
      throw problem('too-many-requests', detail, { retryAfter });
    }
    signal.addEventListener('abort', countRequest(open, key), { once: true });
    try {
      const leave = await semaphore.take(1, signal);
      if (!leave) {
        const detail = `Too many ${label} are running. Try again in a moment.`;
        throw problem('not-ready', detail, { retryAfter });
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

/** Counts a request of this caller. Returns a function that undoes it. */
function countRequest(open: Map<string, number>, key: string): () => void {
  open.set(key, (open.get(key) ?? 0) + 1);
  return () => {
    const remaining = (open.get(key) ?? 1) - 1;
    if (remaining > 0) {
      open.set(key, remaining);
    } else {
      open.delete(key);
    }
  };
}
