import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';

/** Aborted when the answer has been given, or its reader has gone. Throws when that has happened already. */
export function disconnectSignal({ res: response }: Request): AbortSignal {
  const gone = new AbortController();
  if (response?.closed) {
    throw readerGone();
  }
  response?.once('close', () => gone.abort());
  return gone.signal;
}

/** Nobody reads it; it says that there is nothing to log. */
export function readerGone(cause?: unknown) {
  return problem('bad-request', 'The connection ended before the answer.', { cause });
}
