import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { callerOf } from './session.ts';

/**
 * Limits requests a minute, per user or, when anonymous, per address.
 *
 * @param limit requests a minute; 0 switches the limit off
 */
export function limitRequests(limit: () => number): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: () => limit(),
    skip: () => limit() === 0,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: whoAsks,
    handler: (request) => {
      const resetTime = 'rateLimit' in request ? resetOf(request.rateLimit) : undefined;
      const seconds = Math.max(1, ((resetTime ?? Date.now() + 60_000) - Date.now()) / 1000);
      throw problem(
        'too-many-requests',
        `Too many requests. Try again in ${Math.ceil(seconds)} seconds.`,
        { retryAfter: seconds },
      );
    },
  });
}

/** The same name for all requests that are counted together: a user's, or an address's. */
export function whoAsks(request: Request): string {
  const caller = callerOf(request);
  return caller.anonymous ? ipKeyGenerator(request.ip ?? '') : caller.id;
}

function resetOf(info: unknown): number | undefined {
  const time = typeof info === 'object' && info && 'resetTime' in info ? info.resetTime : undefined;
  return time instanceof Date ? time.getTime() : undefined;
}
