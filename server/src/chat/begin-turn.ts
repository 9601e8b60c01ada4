import type { Activation, EndReason } from '@knowhow/shared/chat';
import type { AssistantMessage, ConversationSummary, Message } from '@knowhow/shared/conversations';
import { problem } from '@knowhow/shared/problem';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../storage/schema.ts';
import { messageRow, skillsOffColumn } from './conversation-rows.ts';

/** All a turn begins with. */
export interface TurnStart {
  owner: string;
  conversation: ConversationSummary;
  isNew: boolean;
  /** Where the new messages go; what stood there and after is cut. */
  position: number;
  user: Extract<Message, { role: 'user' }>;
  answer: AssistantMessage;
  /** Skills that became active before the model was asked. */
  activations: Activation[];
  /** Activations of earlier messages that the cut would take away. */
  restored: PositionedActivation[];
  /** Skills that are no longer active. */
  endedSkills: EndedSkill[];
  /** Names of skills that are not to be used in the conversation. */
  skillsOff: readonly string[];
}

export interface EndedSkill {
  name: string;
  reason: EndReason;
}

/** An activation, and the user's message in whose turn it happened. */
export interface PositionedActivation {
  messageId: string;
  activation: Activation;
}

/** Throws `not-found` when the conversation was deleted meanwhile. */
export async function beginTurn(write: Transaction<Schema>, turn: TurnStart): Promise<void> {
  const { conversation, position, user, answer } = turn;
  const at = { conversationId: conversation.id, position };
  if (turn.isNew) {
    await insertConversation(write, turn);
  } else {
    await touchConversation(write, turn);
  }
  await write
    .insertInto('messages')
    .values([messageRow(user, at), messageRow(answer, { ...at, position: position + 1 })])
    .execute();
  const started = turn.activations.map((activation) => ({ messageId: user.id, activation }));
  for (const positioned of [...turn.restored, ...started]) {
    await insertActivation(write, conversation.id, positioned);
  }
}

/** Stores an activation; one of the same name is replaced. */
export async function insertActivation(
  write: Kysely<Schema>,
  conversationId: string,
  { messageId, activation }: PositionedActivation,
): Promise<void> {
  const { name, description, via, tokens, checksum, arguments: written = null } = activation;
  const last = await write
    .selectFrom('activations')
    .select((select) => select.fn.max('created_at').as('at'))
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst();
  const row = {
    message_id: messageId,
    description,
    via,
    tokens,
    checksum,
    arguments: written,
  };
  await write
    .insertInto('activations')
    .values({
      conversation_id: conversationId,
      name,
      created_at: timeAfter(last?.at ?? undefined),
      ...row,
    })
    .onConflict((conflict) => conflict.columns(['conversation_id', 'name']).doUpdateSet(row))
    .execute();
}

/** Now, but after the one before, also where the clock has been set back: their order is taken from it. */
function timeAfter(last: string | undefined): string {
  const least = last === undefined ? 0 : Date.parse(last) + 1;
  return new Date(Math.max(Date.now(), least)).toISOString();
}

async function insertConversation(
  write: Transaction<Schema>,
  { owner, conversation, skillsOff }: TurnStart,
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
      skills_off: skillsOffColumn(skillsOff),
    })
    .execute();
}

async function touchConversation(write: Transaction<Schema>, turn: TurnStart): Promise<void> {
  const { conversation, position, endedSkills, skillsOff } = turn;
  const { id, model, title, updatedAt } = conversation;
  const ended = endedSkills.map(({ name }) => name);
  const { numUpdatedRows } = await write
    .updateTable('conversations')
    .set({ model, title, updated_at: updatedAt, skills_off: skillsOffColumn(skillsOff) })
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw problem('not-found', 'This conversation has been deleted. Begin a new one.');
  }
  const cut = write
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', id)
    .where('position', '>=', position);
  await write
    .deleteFrom('activations')
    .where('conversation_id', '=', id)
    .where(({ eb, or }) =>
      or([eb('message_id', 'in', cut), ...(ended.length > 0 ? [eb('name', 'in', ended)] : [])]),
    )
    .execute();
  await write
    .deleteFrom('messages')
    .where('conversation_id', '=', id)
    .where('position', '>=', position)
    .execute();
}
