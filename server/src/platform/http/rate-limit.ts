import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import type { Limiter } from '../cluster/cluster.ts';
import { addressBlock } from './address-block.ts';
import { getCaller } from './session.ts';

/** Window of the request rate limiters. */
export const windowSeconds = 60;

/**
 * Limits requests per minute, per user or, when anonymous, per address.
 *
 * @param limit requests a minute; 0 disables the limit
 */
export function limitRequests(limiter: Limiter, limit: () => number): RequestHandler {
  return rateLimit({
    windowMs: windowSeconds * 1000,
    store: createStore(limiter),
    limit: () => limit(),
    skip: () => limit() === 0,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: rateLimitKey,
    handler: (request) => {
      const resetTime = 'rateLimit' in request ? getResetTime(request.rateLimit) : undefined;
      const remaining = resetTime === undefined ? windowSeconds : (resetTime - Date.now()) / 1000;
      const seconds = Math.max(1, remaining);
      throw problem(
        'too-many-requests',
        `Too many requests. Try again in ${Math.ceil(seconds)} seconds.`,
        { retryAfter: seconds },
      );
    },
  });
}

/** The key that requests are counted by: the user ID or, when anonymous, the address. */
export function rateLimitKey(request: Request): string {
  const caller = getCaller(request);
  return caller.anonymous ? addressBlock(request) : caller.id;
}

function getResetTime(info: unknown): number | undefined {
  const time = typeof info === 'object' && info && 'resetTime' in info ? info.resetTime : undefined;
  return time instanceof Date ? time.getTime() : undefined;
}

/** An adapter that never decrements. A user may be counted in several limiters, each with its own keys. */
function createStore(limiter: Limiter): Store {
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
