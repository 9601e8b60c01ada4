import { setTimeout as wait } from 'node:timers/promises';
import type { TurnEnd } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { Problem } from '@knowhow/shared/problem';
import type { Log } from '../../platform/lib/log.ts';
import { databaseProblem } from '../../platform/storage/database-problem.ts';
import { DatabaseUnavailable } from '../../platform/storage/database-unavailable.ts';
import {
  type AnswerRecord,
  AnswerTakenOver,
  type StoredCalls,
  type TurnStore,
} from '../conversations/index.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { leaseLost } from './running-turns.ts';
import { toTurnError } from './turn-error.ts';

interface SaveTools {
  log: Log;
  signal: AbortSignal;
  lost: AbortController;
}

/** Autosave interval; a crash loses at most this much of an answer. */
const autosaveMs = 1000;

/**
 * Stores the finished answer and returns the final event, consistent with what was stored. It is `interrupted` if
 * another turn has taken over the answer. It is an error if the database fails, or if the conversation was deleted
 * and the user did not stop the turn.
 */
export async function storeFinalAnswer(last: TurnEnd, save: Save, log: Log): Promise<TurnEnd> {
  try {
    await saveWithRetry(save);
    return last;
  } catch (error) {
    if (error instanceof AnswerTakenOver) {
      log.warn('another turn has taken over the answer; its end is not stored');
      return { type: 'done', finishReason: 'interrupted' };
    }
    if (error instanceof Problem && error.code === 'not-found') {
      // Deleting a conversation stops its turn first, so a user who stopped it gets no error.
      const isStopped = last.type === 'done' && last.finishReason === 'aborted';
      const failed = { type: 'error', ...toTurnError(error, false) } as const;
      return last.type === 'error' || isStopped ? last : failed;
    }
    log.error({ error }, 'an answer could not be stored');
    const why = databaseProblem(error)?.message ?? 'Something went wrong on the server.';
    return { type: 'error', code: 'not-writable', message: `The answer is not stored. ${why}` };
  }
}

/** How long to retry while the database is unavailable. */
const retryTimeoutMs = 30_000;

async function saveWithRetry(save: Save): Promise<void> {
  const until = performance.now() + retryTimeoutMs;
  for (;;) {
    try {
      await save();
      return;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || performance.now() > until) {
        throw error;
      }
      await wait(autosaveMs);
    }
  }
}

/** Stores the current state of the answer. */
type Save = () => Promise<void>;

export function createSaver({ start, records }: PreparedTurn, conversations: TurnStore): Save {
  const { answer, conversation } = start;
  const emptyRecord: AnswerRecord = { results: [], states: new Map() };
  let stored: StoredCalls = { results: 0, states: 0 };
  return async () => {
    const calls = records.answers.get(answer.id) ?? emptyRecord;
    stored = await conversations.saveAnswer(conversation.id, answer, { calls, stored });
  };
}

/**
 * Autosaves the answer every second if it has grown. Returns a function that stops it.
 *
 * @param lost aborted with the reason when this turn no longer owns the answer
 */
export function autosaveAnswer(
  answer: AssistantMessage,
  save: Save,
  { log, signal, lost }: SaveTools,
): () => void {
  const handleError = (error: unknown) => {
    if (error instanceof AnswerTakenOver) {
      lost.abort(leaseLost);
    } else if (error instanceof Problem && error.code === 'not-found') {
      lost.abort(error);
    } else {
      log.error({ error }, 'an answer could not be stored');
    }
  };
  let saved = 0;
  const timer = setInterval(() => {
    const { content, thinking, toolCalls } = answer;
    const ended = toolCalls.filter(({ isRunning }) => !isRunning);
    const length = content.length + thinking.length + ended.length;
    if (length !== saved && !signal.aborted) {
      saved = length;
      save().catch(handleError);
    }
  }, autosaveMs);
  return () => clearInterval(timer);
}
