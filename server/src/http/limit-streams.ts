import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import type { Slots } from '../cluster/cluster.ts';
import { ignore } from '../lib/ignore.ts';
import { readerGone } from './disconnect-signal.ts';
import { rateLimitKey } from './rate-limit.ts';

/** All of this process at once: each holds a connection to its reader, or one to a provider. */
const mostInAll = 1000;
const retryAfter = 5;

/** What outlives the answer to a request, and holds its slot so long. */
const held = new WeakMap<Request, Promise<unknown>>();

/** Lets what a request has begun count until it has ended, though its reader may go before. */
export function countUntil(request: Request, ended: Promise<unknown>): void {
  held.set(request, ended);
}

/**
 * Limits the streams under way at once: in all, and per user or, when anonymous, per address.
 *
 * @param limit of one user; 0 switches it off
 * @param tooMany says that so many are taken, and what to do
 */
export function limitStreams(
  slots: Slots,
  limit: () => number,
  tooMany: (most: number) => string,
): RequestHandler {
  let all = 0;
  return async (request, response, next) => {
    const most = limit();
    const slot = await slots.take(rateLimitKey(request), most || Number.POSITIVE_INFINITY);
    if (!slot) {
      throw problem('too-many-requests', tooMany(most), { retryAfter });
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
    const giveBack = () => {
      all -= 1;
      return slot.release();
    };
    // A failed turn gives its slot back, too. An error that nothing catches would end the process.
    response.once('close', () => {
      Promise.resolve(held.get(request)).then(giveBack, giveBack).catch(ignore);
    });
    next();
  };
}
