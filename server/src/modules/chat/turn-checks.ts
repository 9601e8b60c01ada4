import { conversationLimits, isFull } from '@knowhow/shared/chat/is-full';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { countTokens, exceedsTokens } from '@knowhow/shared/count-tokens';
import { type Problem, problem } from '@knowhow/shared/problem';
import {
  type ClaimedConversation,
  emptyRecords,
  type Records,
  type TurnStore,
} from '../conversations/index.ts';
import type { Caller } from '../identity/index.ts';
import type { ListedModel } from './model-list.ts';

/**
 * The caller's conversation in this app; undefined if the ID is still free.
 *
 * @param replaces ID of the message to replace
 */
export async function findOwnConversation(
  conversations: TurnStore,
  caller: Caller,
  id: string,
  { app, replaces }: { app: AppConfig; replaces?: string | undefined },
): Promise<ClaimedConversation | undefined> {
  const found = await conversations.claim(caller.id, id, replaces);
  if (found === 'free') {
    return undefined;
  }
  if (found === 'taken' || found.appId !== app.id) {
    throw problem('not-found', 'There is no such conversation in this app. Begin a new one.');
  }
  return found;
}

/** The requested model, else the conversation's, else the best available. */
export function chooseModel(
  usable: readonly ListedModel[],
  wanted: string | undefined,
  conversation: ClaimedConversation | undefined,
): ListedModel {
  if (wanted !== undefined) {
    const found = usable.find(({ config }) => config.id === wanted);
    if (!found) {
      throw problem('not-found', `There is no model '${wanted}' here. Choose another one.`);
    }
    return found;
  }
  const model = usable.find(({ config }) => config.id === conversation?.model) ?? usable[0];
  if (!model) {
    throw problem(
      'model-unavailable',
      'No model can be used in this app. Ask the administrator to allow one or to set its key.',
    );
  }
  return model;
}

/** Position of the new message: the end, or that of the message it replaces. */
export function findPosition(
  conversation: ClaimedConversation | undefined,
  replaces: string | undefined,
): number {
  const { messages, earlier } = conversation?.records ?? emptyRecords();
  const before = earlier?.messages ?? 0;
  if (replaces === undefined) {
    return before + messages.length;
  }
  const index = messages.findIndex(({ id, role }) => id === replaces && role === 'user');
  if (index < 0) {
    throw problem('not-found', 'The message to replace no longer exists. Reload the page.');
  }
  return before + index;
}

/** Throws if the conversation has messages the user has not seen, or was temporary and is gone. */
export function checkSeen(
  conversation: ClaimedConversation | undefined,
  { conversationId, after }: { conversationId: string; after: string | undefined },
): void {
  if (!conversation && after !== undefined && isTemporary(conversationId)) {
    throw problem(
      'not-found',
      'This temporary chat is gone: the server has restarted, or it was inactive for two hours. Copy what you need, and begin a new one.',
    );
  }
  const last = conversation?.records.messages.at(-1)?.id;
  if (after !== undefined && last !== undefined && last !== after) {
    throw problem(
      'changed-meanwhile',
      'This conversation has continued in another window. Read the new messages, then send yours again.',
    );
  }
}

/** Throws `too-large` if a message exceeds the token budget. */
export function checkLength(message: string, budget: number): void {
  if (exceedsTokens(message, budget)) {
    throw problem(
      'too-large',
      `Your message is too long for this model: it has about ${countTokens(message)} tokens, but the model can read only ${Math.floor(budget)} here. Shorten it, or choose a model with a larger window.`,
    );
  }
}

/**
 * Throws `conflict` if a conversation has reached its maximum length.
 *
 * @param kept its loaded messages
 */
export function assertConversationNotFull({ messages: kept, earlier }: Records): void {
  const messages = kept.length + (earlier?.messages ?? 0);
  const characters = kept.reduce(
    (sum, { content }) => sum + content.length,
    earlier?.characters ?? 0,
  );
  if (isFull({ messages, characters })) {
    const { messages: maxMessages, characters: maxCharacters } = conversationLimits;
    throw problem(
      'conflict',
      `This conversation is full: one has at most ${maxMessages} messages and ${maxCharacters} characters. Begin a new one.`,
    );
  }
}

/** The problem for a message while the conversation is being answered. */
export function turnRunning(): Problem {
  return problem(
    'turn-running',
    'This conversation is already being answered. Wait for the answer, or stop it first.',
  );
}
