import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import type { Limiter } from '../cluster/cluster.ts';
import { addressBlock } from './address-block.ts';
import { callerOf } from './session.ts';

/** The window of a limiter of requests. */
export const windowSeconds = 60;

/**
 * Limits requests a minute, per user or, when anonymous, per address.
 *
 * @param limit requests a minute; 0 switches the limit off
 */
export function limitRequests(limiter: Limiter, limit: () => number): RequestHandler {
  return rateLimit({
    windowMs: windowSeconds * 1000,
    store: storeOf(limiter),
    limit: () => limit(),
    skip: () => limit() === 0,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: rateLimitKey,
    handler: (request) => {
      const resetTime = 'rateLimit' in request ? resetOf(request.rateLimit) : undefined;
      const left = resetTime === undefined ? windowSeconds : (resetTime - Date.now()) / 1000;
      const seconds = Math.max(1, left);
      throw problem(
        'too-many-requests',
        `Too many requests. Try again in ${Math.ceil(seconds)} seconds.`,
        { retryAfter: seconds },
      );
    },
  });
}

/** The same name for all requests that are counted together: a user's, or an address's. */
export function rateLimitKey(request: Request): string {
  const caller = callerOf(request);
  return caller.anonymous ? addressBlock(request) : caller.id;
}

function resetOf(info: unknown): number | undefined {
  const time = typeof info === 'object' && info && 'resetTime' in info ? info.resetTime : undefined;
  return time instanceof Date ? time.getTime() : undefined;
}

/** What is counted is never taken back. A user may be counted in several, each with its own keys. */
function storeOf(limiter: Limiter): Store {
  return {
    localKeys: true,
    increment: async (key) => {
      const { count, endsAt } = await limiter.add(key);
      return { totalHits: count, resetTime: endsAt };
    },
    decrement: async () => undefined,
    resetKey: async () => undefined,
  };
}
