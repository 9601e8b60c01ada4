import { problem } from '@knowhow/shared/problem';
import type { RequestHandler } from 'express';
import { whoAsks } from './rate-limit.ts';

/** All at once: each holds a connection to its reader and one to a provider. */
const mostInAll = 1000;
const retryAfter = 5;

/**
 * Limits the streams under way at once: in all, and per user or, when anonymous, per address.
 *
 * @param limit of one user; 0 switches it off
 */
export function limitStreams(limit: () => number): RequestHandler {
  const open = new Map<string, number>();
  let all = 0;
  return (request, response, next) => {
    const who = whoAsks(request);
    const own = open.get(who) ?? 0;
    if (limit() > 0 && own >= limit()) {
      throw problem(
        'too-many-requests',
        `${own} answers are under way for you. Wait for one to end, or stop one.`,
        { retryAfter },
      );
    }
    if (all >= mostInAll) {
      throw problem(
        'not-ready',
        'The server gives as many answers as it can. Try again in a moment.',
        { retryAfter },
      );
    }
    open.set(who, own + 1);
    all += 1;
    response.once('close', () => {
      all -= 1;
      const left = (open.get(who) ?? 1) - 1;
      if (left > 0) {
        open.set(who, left);
      } else {
        open.delete(who);
      }
    });
    next();
  };
}
