import { problem } from '@knowhow/shared/problem';
import type { RequestHandler } from 'express';
import type { Slots } from '../cluster/cluster.ts';
import { whoAsks } from './rate-limit.ts';
import { readerGone } from './when-gone.ts';

/** All of this process at once: each holds a connection to its reader and one to a provider. */
const mostInAll = 1000;
const retryAfter = 5;

/**
 * Limits the streams under way at once: in all, and per user or, when anonymous, per address.
 *
 * @param limit of one user; 0 switches it off
 */
export function limitStreams(slots: Slots, limit: () => number): RequestHandler {
  let all = 0;
  return async (request, response, next) => {
    const most = limit();
    const slot = await slots.take(whoAsks(request), most || Number.POSITIVE_INFINITY);
    if (!slot) {
      throw problem(
        'too-many-requests',
        `${most} answers are under way for you. Wait for one to end, or stop one.`,
        { retryAfter },
      );
    }
    if (all >= mostInAll || response.closed) {
      await slot.release();
      throw response.closed
        ? readerGone()
        : problem(
            'not-ready',
            'The server gives as many answers as it can. Try again in a moment.',
            { retryAfter },
          );
    }
    all += 1;
    response.once('close', () => {
      all -= 1;
      void slot.release();
    });
    next();
  };
}
