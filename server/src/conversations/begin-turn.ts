import type { Instructions } from '@knowhow/shared/access/preferences';
import type {
  AssistantMessage,
  ConversationSummary,
  Message,
} from '@knowhow/shared/chat/conversations';
import { problem } from '@knowhow/shared/problem';
import type { Transaction } from 'kysely';
import { acquireTransactionLock } from '../storage/acquire-transaction-lock.ts';
import type { Schema } from '../storage/schema.ts';
import { insertActivations, storeTexts } from './activation-rows.ts';
import { archiveBranch } from './archive-branch.ts';
import { bindFiles } from './attached-files.ts';
import { closeComparison } from './comparison/close-comparison.ts';
import { createComparisonBranch } from './comparison/create-comparison.ts';
import { endIn } from './comparison/end-in.ts';
import { messageRow, namesColumn } from './conversation-rows.ts';
import { interruptIn } from './mark-interrupted.ts';
import { pruneBranches } from './prune-branches.ts';
import type { ActivationRecord, NamedSkill } from './records.ts';
import { takeFiles } from './take-files.ts';

/** All a turn begins with. */
export interface TurnStart {
  owner: string;
  /** Id of the conversation beside whose last answer this one is written; `conversation` is the line that it is. */
  beside?: string;
  conversation: ConversationSummary;
  isNew: boolean;
  /** Where the new messages go; what stood there and after is put away. */
  position: number;
  user: Extract<Message, { role: 'user' }>;
  answer: AssistantMessage;
  /** What became active before the model was asked. */
  activated: ActivationRecord[];
  /** The skills that are named to models with the user's message. */
  named: readonly NamedSkill[];
  /** What its user wants of models from here on, where that is not the same as before. */
  instructions: Instructions | undefined;
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

/** What came of it for what was there. */
export interface BegunTurn {
  /** Whether older lines of the conversation were deleted, as there was no room for another. */
  hasDroppedLines: boolean;
}

/** Throws `not-found` when the conversation was deleted meanwhile. */
export async function beginTurn(write: Transaction<Schema>, turn: TurnStart): Promise<BegunTurn> {
  const { conversation, user, beside } = turn;
  const { id } = conversation;
  let hasDroppedLines = false;
  if (beside !== undefined) {
    hasDroppedLines = await createComparisonBranch(write, turn, beside);
  } else if (turn.isNew) {
    await insertConversation(write, turn);
  } else {
    await interruptIn(write, id);
    hasDroppedLines = await makeRoom(write, turn);
    await touchConversation(write, turn);
  }
  await insertMessages(write, turn);
  await bindFiles(write, user.attachments ?? [], { conversationId: id, messageId: user.id });
  await storeTexts(write, turn.reloaded);
  await endIn(write, id, [...turn.ended, ...turn.forgotten]);
  await insertActivations(write, id, turn.activated);
  return { hasDroppedLines };
}

async function insertMessages(
  write: Transaction<Schema>,
  { conversation, position, user, answer, named, instructions }: TurnStart,
): Promise<void> {
  const at = { conversationId: conversation.id, position };
  await write
    .insertInto('messages')
    .values([
      messageRow(user, at, { named, instructions }),
      messageRow(answer, { ...at, position: position + 1 }),
    ])
    .execute();
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
      ...{ pinned: 0, archived: 0 },
    })
    .execute();
}

async function touchConversation(write: Transaction<Schema>, turn: TurnStart): Promise<void> {
  const { conversation, position, skillsOff, ranked, tools } = turn;
  const { id, model, title, updatedAt } = conversation;
  await write
    .updateTable('conversations')
    .set({
      ...{ model, updated_at: updatedAt, archived: 0 },
      // A later turn has read it, and somebody may have renamed it since.
      ...(position === 0 ? { title } : {}),
      skills_off: namesColumn(skillsOff),
      ranked: namesColumn(ranked),
      tools: namesColumn(tools),
    })
    .where('id', '=', id)
    .execute();
}

/** What is edited or tried again stays as a line, unless it came to nothing. */
async function makeRoom(write: Transaction<Schema>, turn: TurnStart): Promise<boolean> {
  const { id } = turn.conversation;
  await acquireTransactionLock(write, `lines ${id}`);
  const before = await write
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!before) {
    throw problem('not-found', 'This conversation has been deleted. Begin a new one.');
  }
  await closeComparison(write, id);
  const line = await archiveBranch(write, before, turn.position);
  if (line === undefined) {
    return false;
  }
  await takeFiles(write, { from: line, to: id }, turn.user.attachments ?? []);
  if (await isNothing(write, line, turn)) {
    await write.deleteFrom('conversations').where('id', '=', line).execute();
    return false;
  }
  return pruneBranches(write, id);
}

/** The same words, without an answer. */
async function isNothing(
  write: Transaction<Schema>,
  line: string,
  { user }: TurnStart,
): Promise<boolean> {
  const messages = await write
    .selectFrom('messages')
    .select(['role', 'content', 'status'])
    .where('conversation_id', '=', line)
    .limit(3)
    .execute();
  return (
    messages.length <= 2 &&
    messages.every(({ role, content, status }) =>
      role === 'user' ? content === user.content : content === '' && status !== 'complete',
    )
  );
}
