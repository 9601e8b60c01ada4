import type { ChatEvent, FinishReason, TurnError } from '@knowhow/shared/chat/chat';
import {
  type AssistantMessage,
  type MessageStatus,
  statusForFinishReason,
} from '@knowhow/shared/chat/conversations';
import { databaseProblem } from '../../platform/storage/database-problem.ts';
import { maxBranchesPerMessage } from '../conversations/prune-branches.ts';

/** Stores how the answer ended and returns the final event. */
export function finish(answer: AssistantMessage, finishReason: FinishReason): ChatEvent {
  Object.assign(answer, { status: statusForFinishReason(finishReason), finishReason });
  return { type: 'done', finishReason };
}

/** Stores that the answer failed and returns the final event. */
export function fail(answer: AssistantMessage, error: unknown, isAdmin: boolean): ChatEvent {
  const shown = toTurnError(error, isAdmin);
  Object.assign(answer, { status: 'failed' satisfies MessageStatus, error: shown });
  return { type: 'error', ...shown };
}

/**
 * Converts an error into what a user may see.
 *
 * @param isAdmin whether to include the reason given by the provider or the database
 */
export function toTurnError(error: unknown, isAdmin: boolean): TurnError {
  const known = databaseProblem(error);
  if (!known) {
    return { code: 'internal', message: 'Something went wrong on the server. Try again.' };
  }
  const { code, message, reason } = known;
  return { code, message, ...(isAdmin && reason !== undefined ? { reason } : {}) };
}

/** Notes in the answer that old branches were pruned, and returns the event that reports it. */
export function reportPrunedBranches(answer: AssistantMessage): ChatEvent[] {
  const code = 'lines-dropped';
  answer.notices = [code];
  const message = `The oldest versions of this conversation were deleted: at most ${maxBranchesPerMessage} are kept at a message.`;
  return [{ type: 'notice', code, message }];
}
