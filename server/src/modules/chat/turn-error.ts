import type { TurnError } from '@knowhow/shared/chat/chat';
import { databaseProblem } from '../../platform/storage/database-problem.ts';

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
