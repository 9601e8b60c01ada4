import type { SentAttachment } from '@knowhow/shared/attachments';
import type { AssistantMessage, ConversationSummary, Message } from '@knowhow/shared/conversations';
import { problem } from '@knowhow/shared/problem';
import type { Transaction } from 'kysely';
import { oneOf } from '../storage/one-of.ts';
import type { Schema } from '../storage/schema.ts';
import { endActivations, insertActivations, storeTexts } from './activation-rows.ts';
import { bindFiles } from './attached-files.ts';
import { messageRow, namesColumn } from './conversation-rows.ts';
import type { ActivationRecord, NamedSkill } from './records.ts';

/** All a turn begins with. */
export interface TurnStart {
  owner: string;
  conversation: ConversationSummary;
  isNew: boolean;
  /** Where the new messages go; what stood there and after is cut. */
  position: number;
  user: Extract<Message, { role: 'user' }>;
  answer: AssistantMessage;
  /** What became active before the model was asked. */
  activated: ActivationRecord[];
  /** The skills that are named to models with the user's message. */
  named: readonly NamedSkill[];
  /** What is no longer active. */
  ended: ActivationRecord[];
  /** The same, where the user is not told of each. */
  forgotten: ActivationRecord[];
  /** What a former version stored without its text. */
  reloaded: ActivationRecord[];
  /** Names of skills that are not to be used in the conversation. */
  skillsOff: readonly string[];
  /** Ids of the skills that come first in its catalogue, where not all find room. */
  ranked: readonly string[] | undefined;
  /** Ids of the tools it has been offered, where not all find room. */
  tools: readonly string[];
}

/** Throws `not-found` when the conversation was deleted meanwhile. */
export async function beginTurn(write: Transaction<Schema>, turn: TurnStart): Promise<void> {
  const { conversation, position, user, answer, named } = turn;
  const at = { conversationId: conversation.id, position };
  const { attachments = [] } = user;
  if (turn.isNew) {
    await insertConversation(write, turn);
  } else {
    await keepFiles(write, conversation.id, attachments);
    await touchConversation(write, turn);
  }
  await write
    .insertInto('messages')
    .values([messageRow(user, at, named), messageRow(answer, { ...at, position: position + 1 })])
    .execute();
  await bindFiles(write, attachments, { conversationId: conversation.id, messageId: user.id });
  await storeTexts(write, turn.reloaded);
  await endActivations(write, [...turn.ended, ...turn.forgotten]);
  await insertActivations(write, conversation.id, turn.activated);
}

async function insertConversation(
  write: Transaction<Schema>,
  { owner, conversation, skillsOff, ranked, tools }: TurnStart,
): Promise<void> {
  const { id, appId, model, title, createdAt, updatedAt } = conversation;
  await write
    .insertInto('conversations')
    .values({
      id,
      owner,
      app_id: appId,
      model,
      title,
      created_at: createdAt,
      updated_at: updatedAt,
      skills_off: namesColumn(skillsOff),
      ranked: namesColumn(ranked),
      tools: namesColumn(tools),
    })
    .execute();
}

async function touchConversation(write: Transaction<Schema>, turn: TurnStart): Promise<void> {
  const { conversation, position, skillsOff, ranked, tools } = turn;
  const { id, model, title, updatedAt } = conversation;
  const { numUpdatedRows } = await write
    .updateTable('conversations')
    .set({
      ...{ model, title, updated_at: updatedAt },
      skills_off: namesColumn(skillsOff),
      ranked: namesColumn(ranked),
      tools: namesColumn(tools),
    })
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw problem('not-found', 'This conversation has been deleted. Begin a new one.');
  }
  await cutMessages(write, id, position);
}

/** Takes files off a message that is about to be cut: they go with the one in its place. */
async function keepFiles(
  write: Transaction<Schema>,
  conversationId: string,
  attachments: readonly SentAttachment[],
): Promise<void> {
  if (attachments.length > 0) {
    await write
      .updateTable('files')
      .set({ message_id: null })
      .where('conversation_id', '=', conversationId)
      .where('id', 'in', oneOf(attachments.map(({ id }) => id)))
      .execute();
  }
}

/** Takes messages away, and what they brought with them: activations, and the ends of others. */
async function cutMessages(
  write: Transaction<Schema>,
  id: string,
  position: number,
): Promise<void> {
  const cut = await write
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', id)
    .where('position', '>=', position)
    .execute();
  if (cut.length === 0) {
    return;
  }
  const ids = oneOf(cut.map((message) => message.id));
  await write
    .deleteFrom('activations')
    .where('conversation_id', '=', id)
    .where('message_id', 'in', ids)
    .execute();
  await write
    .updateTable('activations')
    .set({ ended_at: null, end_reason: null, ended_in: null })
    .where('conversation_id', '=', id)
    .where('ended_in', 'in', ids)
    .execute();
  await write.deleteFrom('messages').where('id', 'in', ids).execute();
}
