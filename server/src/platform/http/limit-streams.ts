import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import type { Slots } from '../cluster/cluster.ts';
import { ignore } from '../lib/ignore.ts';
import { disconnectedProblem } from './disconnect-signal.ts';
import { rateLimitKey } from './rate-limit.ts';

/** Maximum per process: each holds a connection to a client or to a provider. */
const maxTotal = 1000;
const retryAfter = 5;

/** Work that outlives the response and holds its slot until it ends. */
const slotHolders = new WeakMap<Request, Promise<unknown>>();

/** Keeps the request's slot until `ended` settles, even if its client disconnects first. */
export function holdSlotUntil(request: Request, ended: Promise<unknown>): void {
  slotHolders.set(request, ended);
}

/**
 * Limits concurrent streams: in total, and per user or, when anonymous, per address.
 *
 * @param limit per user; 0 disables the limit
 * @param tooMany creates the error message
 */
export function limitStreams(
  slots: Slots,
  limit: () => number,
  tooMany: (maxOwn: number) => string,
): RequestHandler {
  let total = 0;
  return async (request, response, next) => {
    const maxOwn = limit();
    const slot = await slots.take(rateLimitKey(request), maxOwn || Number.POSITIVE_INFINITY);
    if (!slot) {
      throw problem('too-many-requests', tooMany(maxOwn), { retryAfter });
    }
    if (total >= maxTotal || response.closed) {
      await slot.release();
      throw response.closed
        ? disconnectedProblem()
        : problem('not-ready', 'The server is at capacity. Try again in a moment.', { retryAfter });
    }
    total += 1;
    const release = () => {
      total -= 1;
      return slot.release();
    };
    // A failed turn releases its slot too. An unhandled rejection would end the process.
    response.once('close', () => {
      Promise.resolve(slotHolders.get(request)).then(release, release).catch(ignore);
    });
    next();
  };
}
