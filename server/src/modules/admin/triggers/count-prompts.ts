import { setTimeout as delay } from 'node:timers/promises';
import type { TurnError } from '@knowhow/shared/chat/chat';
import { Problem } from '@knowhow/shared/problem';
import { toTurnError } from '../../chat/index.ts';
import type { Caller, Quotas, TurnUsage } from '../../identity/index.ts';

/** The quotas of the person who runs a test. */
export interface CountedPrompts {
  /** Counts a prompt as a turn. */
  takeTurn: () => Promise<TurnUsage>;
  /** Aborts at the end of the test, or when a quota is used up. */
  stop: AbortSignal;
  /** Why a quota ended the test. */
  refusal(): TurnError | undefined;
}

const retryMs = 500;

/** Counts the prompts of a test as turns of its caller, and ends it when their quota is used up. */
export function countPrompts(
  { begin }: Pick<Quotas, 'begin'>,
  caller: Caller,
  stop: AbortSignal,
): CountedPrompts {
  const usedUp = new AbortController();
  const ended = AbortSignal.any([stop, usedUp.signal]);
  return {
    takeTurn: async () => {
      for (;;) {
        try {
          return await begin(caller);
        } catch (error) {
          const code = error instanceof Problem ? error.code : undefined;
          if (code === 'quota-used-up') {
            usedUp.abort(error);
          }
          if (code !== 'too-many-requests') {
            throw error;
          }
          // The rest of the quota is for fewer turns at once: others of this test have to end first.
          await delay(retryMs, undefined, { signal: ended });
        }
      }
    },
    stop: ended,
    refusal: () => (usedUp.signal.aborted ? toTurnError(usedUp.signal.reason, false) : undefined),
  };
}
