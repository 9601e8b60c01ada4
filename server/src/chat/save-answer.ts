import { setTimeout as wait } from 'node:timers/promises';
import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { Problem } from '@knowhow/shared/problem';
import { AnswerTaken } from '../conversations/answering/hold-answer.ts';
import type { StoredCalls } from '../conversations/record-rows.ts';
import type { AnswerRecord } from '../conversations/records.ts';
import type { TurnStore } from '../conversations/turn-store.ts';
import type { Log } from '../lib/log.ts';
import { DatabaseAway } from '../storage/database-away.ts';
import { databaseProblem } from '../storage/database-problem.ts';
import { fail, finish } from './finish-answer.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { leaseLost } from './running-turns.ts';

interface SaveTools {
  log: Log;
  signal: AbortSignal;
  lost: AbortController;
}

/** How much of an answer a crash may cost. */
const saveEveryMs = 1000;

/**
 * The last event for readers, which agrees with what is stored: `interrupted` if the answer was taken from this turn,
 * an error if the database refuses it, or if its conversation is gone and the user did not stop the turn.
 */
export async function stored(
  last: ChatEvent,
  save: Save,
  { answer, log }: { answer: AssistantMessage; log: Log },
): Promise<ChatEvent> {
  try {
    await saveWithRetry(save);
    return last;
  } catch (error) {
    if (error instanceof AnswerTaken) {
      log.warn('an answer was taken from this turn; its end is not stored');
      return finish(answer, 'interrupted');
    }
    if (error instanceof Problem && error.code === 'not-found') {
      // Deleting a conversation stops its turn first: the user who stopped it gets no error about it.
      const isStopped = last.type === 'done' && last.finishReason === 'aborted';
      return last.type === 'error' || isStopped ? last : fail(answer, error, false);
    }
    log.error({ error }, 'an answer could not be stored');
    const why = databaseProblem(error)?.message ?? 'Something went wrong on the server.';
    return { type: 'error', code: 'not-writable', message: `The answer is not stored. ${why}` };
  }
}

/** How long an answer is kept for a database that is away. */
const patienceMs = 30_000;

async function saveWithRetry(save: Save): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      await save();
      return;
    } catch (error) {
      if (!(error instanceof DatabaseAway) || performance.now() > until) {
        throw error;
      }
      await wait(saveEveryMs);
    }
  }
}

/** Stores the answer as far as it is. */
type Save = () => Promise<void>;

export function saverOf(
  { start, records }: PreparedTurn,
  { conversations }: { conversations: TurnStore },
): Save {
  const { answer, conversation } = start;
  const nothing: AnswerRecord = { results: [], states: new Map() };
  let stored: StoredCalls = { results: 0, states: 0 };
  return async () => {
    const calls = records.answers.get(answer.id) ?? nothing;
    stored = await conversations.saveAnswer(conversation.id, answer, { calls, stored });
  };
}

/**
 * Stores what has been added, once a second, also while the model is silent.
 *
 * @param lost aborted with the reason when the answer is not this turn's any more
 */
export function autosaveAnswer(
  answer: AssistantMessage,
  save: Save,
  { log, signal, lost }: SaveTools,
): () => void {
  const onFailed = (error: unknown) => {
    if (error instanceof AnswerTaken) {
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
    const length = content.length + thinking.length + toolCalls.length;
    if (length !== saved && !signal.aborted) {
      saved = length;
      save().catch(onFailed);
    }
  }, saveEveryMs);
  return () => clearInterval(timer);
}
