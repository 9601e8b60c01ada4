import type { ChatEvent, FinishReason, TurnError } from '@knowhow/shared/chat';
import type { AssistantMessage, MessageStatus } from '@knowhow/shared/conversations';
import { databaseProblem } from '../storage/database-problem.ts';

/** Puts into the answer how it ended, and gives the last event. */
export function finish(answer: AssistantMessage, finishReason: FinishReason): ChatEvent {
  Object.assign(answer, { status: statusAfter(finishReason), finishReason });
  return { type: 'done', finishReason };
}

function statusAfter(finishReason: FinishReason): MessageStatus {
  if (finishReason === 'aborted') {
    return 'stopped';
  }
  return finishReason === 'interrupted' ? 'interrupted' : 'complete';
}

/**
 * The same of an answer that failed.
 *
 * @param isAdmin whether the reader may know what the provider or the disk said
 */
export function fail(answer: AssistantMessage, error: unknown, isAdmin: boolean): ChatEvent {
  const known = databaseProblem(error);
  const shown: TurnError = known
    ? {
        code: known.code,
        message: known.message,
        ...(isAdmin && known.reason !== undefined ? { reason: known.reason } : {}),
      }
    : { code: 'internal', message: 'Something went wrong on the server. Try again.' };
  Object.assign(answer, { status: 'failed' satisfies MessageStatus, error: shown });
  return { type: 'error', ...shown };
}
