import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import { MemoryStore, rateLimit } from 'express-rate-limit';
import { addressBlock } from './address-block.ts';
import { callerOf } from './session.ts';

const windowMs = 60_000;

/**
 * Limits requests a minute, per user or, when anonymous, per address.
 *
 * @param limit requests a minute; 0 switches the limit off
 */
export function limitRequests(limit: () => number): RequestHandler {
  return rateLimit({
    windowMs,
    store: new SteadyStore(),
    limit: () => limit(),
    skip: () => limit() === 0,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: whoAsks,
    handler: (request) => {
      const resetTime = 'rateLimit' in request ? resetOf(request.rateLimit) : undefined;
      const seconds = Math.max(1, ((resetTime ?? Date.now() + windowMs) - Date.now()) / 1000);
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
  return caller.anonymous ? addressBlock(request) : caller.id;
}

function resetOf(info: unknown): number | undefined {
  const time = typeof info === 'object' && info && 'resetTime' in info ? info.resetTime : undefined;
  return time instanceof Date ? time.getTime() : undefined;
}

/** Begins a minute again that would take longer because the clock has been set back. */
class SteadyStore extends MemoryStore {
  override async increment(key: string): ReturnType<MemoryStore['increment']> {
    const seen = await super.increment(key);
    if ((seen.resetTime?.getTime() ?? 0) <= Date.now() + windowMs) {
      return seen;
    }
    await this.resetKey(key);
    return super.increment(key);
  }
}
