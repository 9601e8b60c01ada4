import type { Request } from 'express';
import { nothingYet } from '../lib/check-unchanged.ts';

/** Whether a request names the state that it changes, even if that is any (`If-Match: *`). */
export function hasPrecondition({ headers }: Request): boolean {
  return headers['if-match'] !== undefined || headers['if-none-match']?.trim() === '*';
}

/**
 * The checksum in `If-Match`: `"abc"`, `W/"abc"` or `abc`. Undefined without one, and for `*`. `nothingYet`
 * for `If-None-Match: *`.
 */
export function expectedChecksum(request: Request): string | undefined {
  if (request.headers['if-none-match']?.trim() === '*') {
    return nothingYet;
  }
  const value = request.headers['if-match']?.trim();
  return value === undefined || value === '*' ? undefined : value.replace(/^(?:W\/)?"(.*)"$/, '$1');
}
