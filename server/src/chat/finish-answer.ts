import type { ChatEvent, FinishReason, TurnError } from '@knowhow/shared/chat/chat';
import {
  type AssistantMessage,
  type MessageStatus,
  statusAfter,
} from '@knowhow/shared/chat/conversations';
import { mostLinesAtAPoint } from '../conversations/prune-branches.ts';
import { databaseProblem } from '../storage/database-problem.ts';

/** Puts into the answer how it ended, and gives the last event. */
export function finish(answer: AssistantMessage, finishReason: FinishReason): ChatEvent {
  Object.assign(answer, { status: statusAfter(finishReason), finishReason });
  return { type: 'done', finishReason };
}

/** The same of an answer that failed. */
export function fail(answer: AssistantMessage, error: unknown, isAdmin: boolean): ChatEvent {
  const shown = turnErrorOf(error, isAdmin);
  Object.assign(answer, { status: 'failed' satisfies MessageStatus, error: shown });
  return { type: 'error', ...shown };
}

/**
 * What a reader is told of an error.
 *
 * @param isAdmin whether the reader may know what the provider or the disk said
 */
export function turnErrorOf(error: unknown, isAdmin: boolean): TurnError {
  const known = databaseProblem(error);
  if (!known) {
    return { code: 'internal', message: 'Something went wrong on the server. Try again.' };
  }
  const { code, message, reason } = known;
  return { code, message, ...(isAdmin && reason !== undefined ? { reason } : {}) };
}

/** Puts into the answer that older lines had to make room, and gives the events that say so. */
export function linesDropped(answer: AssistantMessage): ChatEvent[] {
  const code = 'lines-dropped';
  answer.notices = [code];
  const message = `The oldest versions of this conversation were deleted: at most ${mostLinesAtAPoint} are kept at a message.`;
  return [{ type: 'notice', code, message }];
}
