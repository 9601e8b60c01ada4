import { conversationLimits, isFull } from '@knowhow/shared/chat/is-full';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { problem } from '@knowhow/shared/problem';
import type { Caller } from '../access/caller.ts';
import { noRecords, type Records } from '../conversations/records.ts';
import type { ClaimedConversation, TurnStore } from '../conversations/turn-store.ts';
import { countTokens, isOver } from '../lib/count-tokens.ts';
import type { ListedModel } from './model-list.ts';

/**
 * The caller's conversation in this app, or undefined when the id is still free.
 *
 * @param replaces id of the message that is to be replaced
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

/** The model asked for, else the one the conversation had, else the best there is. */
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

/** Where the new message goes: at the end, or in the place of the one it replaces. */
export function positionOf(
  conversation: ClaimedConversation | undefined,
  replaces: string | undefined,
): number {
  const { messages, earlier } = conversation?.records ?? noRecords();
  const before = earlier?.messages ?? 0;
  if (replaces === undefined) {
    return before + messages.length;
  }
  const index = messages.findIndex(({ id, role }) => id === replaces && role === 'user');
  if (index < 0) {
    throw problem('not-found', 'The message to replace is not there any more. Reload the page.');
  }
  return before + index;
}

/** Throws when the conversation went on after the last message its user has seen, or was in memory and has gone. */
export function checkSeen(
  conversation: ClaimedConversation | undefined,
  { conversationId, after }: { conversationId: string; after: string | undefined },
): void {
  if (!conversation && after !== undefined && isTemporary(conversationId)) {
    throw problem(
      'not-found',
      'This temporary chat is gone: the server has restarted, or nobody has written here for two hours. Copy what you need, and begin a new one.',
    );
  }
  const last = conversation?.records.messages.at(-1)?.id;
  if (after !== undefined && last !== undefined && last !== after) {
    throw problem(
      'changed-meanwhile',
      'This conversation went on elsewhere. Read what is new, then send your message again.',
    );
  }
}

/** Throws when a message has more tokens than the model reads here. */
export function checkLength(message: string, room: number): void {
  if (isOver(message, room)) {
    throw problem(
      'too-large',
      `Your message is too long for this model: it has about ${countTokens(message)} tokens, of which the model can read ${Math.floor(room)} here. Shorten it, or choose a model with a larger window.`,
    );
  }
}

/** Throws when a conversation has become too long to go on. @param kept what stays of it */
export function assertConversationNotFull({ messages: kept, earlier }: Records): void {
  const messages = kept.length + (earlier?.messages ?? 0);
  const characters = kept.reduce(
    (sum, { content }) => sum + content.length,
    earlier?.characters ?? 0,
  );
  if (isFull({ messages, characters })) {
    const { messages: most, characters: longest } = conversationLimits;
    throw problem(
      'conflict',
      `This conversation is full: one has at most ${most} messages and ${longest} characters. Begin a new one.`,
    );
  }
}
