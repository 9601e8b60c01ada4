import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { createSemaphore } from '../lib/semaphore.ts';
import { disconnectSignal, readerGone } from './disconnect-signal.ts';
import { rateLimitKey } from './rate-limit.ts';

/** What is bounded: so many at once, and so many waiting. */
export interface QueueLimits {
  atOnce: number;
  waiting: number;
  /** Waiting, under way or not read yet, of one user or, when anonymous, of one address. */
  ofOne: number;
  /** For messages, in the plural. */
  what: string;
}

const retryAfter = 2;

/** Does something when it reaches the head of the queue; the signal says that its reader has gone. */
export type Enqueue = <Result>(
  request: Request,
  act: (gone: AbortSignal) => Promise<Result>,
) => Promise<Result>;

/**
 * A few at a time, in the order of asking: each leaves the event loop free in between, many at once would
 * not. Nobody takes more than a few slots in the queue, and none is kept for a reader who has gone.
 */
export function boundedQueue({ atOnce, waiting, ofOne, what }: QueueLimits): Enqueue {
  const semaphore = createSemaphore(atOnce, waiting);
  const open = new Map<string, number>();
  return async (request, act) => {
    const gone = disconnectSignal(request);
    const who = rateLimitKey(request);
    if ((open.get(who) ?? 0) >= ofOne) {
      const detail = `${ofOne} ${what} are under way for you. Wait for one to end.`;
      throw problem('too-many-requests', detail, { retryAfter });
    }
    gone.addEventListener('abort', countOwn(open, who), { once: true });
    try {
      const leave = await semaphore.take(1, gone);
      if (!leave) {
        const detail = `Too many ${what} are under way. Try again in a moment.`;
        throw problem('not-ready', detail, { retryAfter });
      }
      return await act(gone).finally(leave);
    } catch (error) {
      throw gone.aborted ? readerGone(error) : error;
    }
  };
}

/** Exports pack while they are sent. Nobody alone keeps others from theirs. */
export const exportLimits: QueueLimits = { atOnce: 4, waiting: 20, ofOne: 3, what: 'exports' };

/** Gives what counts it off again. */
function countOwn(open: Map<string, number>, who: string): () => void {
  open.set(who, (open.get(who) ?? 0) + 1);
  return () => {
    const left = (open.get(who) ?? 1) - 1;
    if (left > 0) {
      open.set(who, left);
    } else {
      open.delete(who);
    }
  };
}
