import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';

/** Aborts when the response is complete or the client disconnects. Throws if that has already happened. */
export function disconnectSignal({ res: response }: Request): AbortSignal {
  const controller = new AbortController();
  if (response?.closed) {
    throw disconnectedProblem();
  }
  response?.once('close', () => controller.abort());
  return controller.signal;
}

/** Never delivered; it marks errors that need no log entry. */
export function disconnectedProblem(cause?: unknown) {
  return problem('bad-request', 'The connection ended before the answer.', { cause });
}
