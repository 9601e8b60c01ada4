import { Problem } from '@knowhow/shared/problem';
import { useMutation } from '@tanstack/react-query';

export interface Reply<Answer> {
  give: (answer: Answer) => void;
  /** `gone`: the request has already been answered or has expired. */
  state: 'open' | 'sending' | 'given' | 'gone';
  /** The error, if a retry may help. */
  error: unknown;
}

/** Answers a waiting call, once. The events of the turn confirm it. */
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
