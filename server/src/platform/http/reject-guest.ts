import { problem } from '@knowhow/shared/problem';
import type { Caller } from './caller.ts';

/** Throws `forbidden` for a visitor without an account. @param why a sentence, such as "A guest has no keys." */
export function rejectGuest({ anonymous }: Caller, why: string): void {
  if (anonymous) {
    throw problem('forbidden', `${why} Sign in first.`);
  }
}
