import type { TurnError } from '@knowhow/shared/chat/chat';
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

/** Counts the prompts of a test as turns of its caller, and ends it when their quota is used up. */
export function countPrompts(
  { begin }: Pick<Quotas, 'begin'>,
  caller: Caller,
  stop: AbortSignal,
): CountedPrompts {
  const usedUp = new AbortController();
  return {
    takeTurn: async () => {
      try {
        return await begin(caller);
      } catch (error) {
        usedUp.abort(error);
        throw error;
      }
    },
    stop: AbortSignal.any([stop, usedUp.signal]),
    refusal: () => (usedUp.signal.aborted ? toTurnError(usedUp.signal.reason, false) : undefined),
  };
}
