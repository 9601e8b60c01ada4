import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import type { Session } from '../../../platform/http/authenticator.ts';
import type { Contents } from '../../content/contents.ts';
import { anonymousCaller, type Caller } from '../caller.ts';

/**
 * The session of a program. Unknown credentials are rejected, never treated as an anonymous visitor.
 *
 * @param find the current caller; undefined if the credentials are invalid
 */
export async function createProgramSession(
  find: () => Promise<Caller | undefined>,
  contents: () => Contents,
): Promise<Session> {
  const found = await find();
  return {
    caller: found ?? createRejectedCaller(contents()),
    isNew: found === undefined,
    recheck: async () => {
      const caller = await find();
      if (!caller) {
        throw problem('not-signed-in', 'This key or token is no longer valid. Use another one.');
      }
      return caller;
    },
  };
}

/** The caller of a request with wrong credentials: may use nothing. */
export function createRejectedCaller(contents: Contents): Caller {
  return anonymousCaller(`anonymous:${randomUUID()}`, contents, false);
}
