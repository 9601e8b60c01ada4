import { Problem } from '@knowhow/shared/problem';
import { useMutation } from '@tanstack/react-query';

export interface Reply<Answer> {
  give: (answer: Answer) => void;
  /** `gone`: nobody waits for it any more. */
  state: 'open' | 'sending' | 'given' | 'gone';
  /** Why it could not be given, where trying again may help. */
  error: unknown;
}

/** Gives an answer that a call waits for, once. That it has arrived the events of the turn say. */
export function useReply<Answer>(send: (answer: Answer) => Promise<unknown>): Reply<Answer> {
  const { mutate, status, error } = useMutation({ mutationFn: send });
  const isGone = error instanceof Problem && error.status === 404;
  return {
    give: mutate,
    state: isGone ? 'gone' : stateOf[status],
    error: isGone ? undefined : error,
  };
}

const stateOf = { idle: 'open', error: 'open', pending: 'sending', success: 'given' } as const;
