import type { Instructions } from '@knowhow/shared/access/preferences';
import type {
  AssistantMessage,
  ConversationSummary,
  Message,
} from '@knowhow/shared/chat/conversations';
import { problem } from '@knowhow/shared/problem';
import type { Transaction } from 'kysely';
import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { insertActivations, storeTexts } from './activation-rows.ts';
import { archiveBranch } from './archive-branch.ts';
import { bindFiles } from './attached-files.ts';
import { closeComparison } from './comparison/close-comparison.ts';
import { createComparisonBranch } from './comparison/create-comparison.ts';
import { storeEnds } from './comparison/store-ends.ts';
import { messageRow, namesColumn } from './conversation-rows.ts';
import { interruptAnswers } from './mark-interrupted.ts';
import { moveFiles } from './move-files.ts';
import { pruneBranches } from './prune-branches.ts';
import type { ActivationRecord, SuggestedSkill } from './records.ts';

/** Everything that is stored when a turn starts. */
export interface TurnStart {
  owner: string;
  /** For a comparison answer: ID of the main conversation; `conversation` is then the branch. */
  beside?: string;
  conversation: ConversationSummary;
  isNew: boolean;
  /** Position of the new messages; existing ones from there on are archived. */
  position: number;
  user: Extract<Message, { role: 'user' }>;
  answer: AssistantMessage;
  /** Skills activated before the model is asked. */
  activated: ActivationRecord[];
  /** Skills suggested to models with the user's message. */
  named: readonly SuggestedSkill[];
  /** The user's instructions from here on, if they differ from those before. */
  instructions: Instructions | undefined;
  /** Activations that ended. */
  ended: ActivationRecord[];
  /** Activations that expired; the user is not told about each. */
  expired: ActivationRecord[];
  /** Activations that an earlier version stored without their text. */
  reloaded: ActivationRecord[];
  /** Skills that are switched off in the conversation. */
  skillsOff: readonly string[];
  /** IDs of the top-ranked skills in its catalogue, if not all fit. */
  ranked: readonly string[] | undefined;
  /** IDs of the tools it was offered, if not all fit. */
  tools: readonly string[];
}

/** What the start of a turn found and changed. */
export interface StartedTurn {
  /** Whether old branches of the conversation were pruned to make room for another. */
  hasPrunedBranches: boolean;
  /** Names of the skills that are active from then on, if they were read. */
  activeNames: ReadonlySet<string> | undefined;
}

/** Stores the start of a turn. Throws `not-found` if the conversation has been deleted. */
export async function beginTurn(write: Transaction<Schema>, turn: TurnStart): Promise<StartedTurn> {
  const { conversation, user, beside } = turn;
  const { id } = conversation;
  let hasPruned = false;
  if (beside !== undefined) {
    hasPruned = await createComparisonBranch(write, turn, beside);
  } else if (turn.isNew) {
    await insertConversation(write, turn);
  } else {
    await interruptAnswers(write, id);
    hasPruned = await archiveReplaced(write, turn);
    await touchConversation(write, turn);
  }
  await insertMessages(write, turn);
  await bindFiles(write, user.attachments ?? [], { conversationId: id, messageId: user.id });
  await storeTexts(write, turn.reloaded);
  await storeEnds(write, id, [...turn.ended, ...turn.expired]);
  await insertActivations(write, id, turn.activated);
  const names = turn.activated.map(({ activation }) => activation.name);
  return { hasPrunedBranches: hasPruned, activeNames: turn.isNew ? new Set(names) : undefined };
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
      // A turn at position 0 sets the title. Later turns must not overwrite a title that was changed meanwhile.
      ...(position === 0 ? { title } : {}),
      skills_off: namesColumn(skillsOff),
      ranked: namesColumn(ranked),
      tools: namesColumn(tools),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Archives the replaced messages as a branch, unless it would be an unanswered duplicate. Returns whether old
 * branches were pruned.
 */
async function archiveReplaced(write: Transaction<Schema>, turn: TurnStart): Promise<boolean> {
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
  const branch = await archiveBranch(write, before, turn.position);
  if (branch === undefined) {
    return false;
  }
  await moveFiles(write, { from: branch, to: id }, turn.user.attachments ?? []);
  if (await isUnansweredDuplicate(write, branch, turn)) {
    await write.deleteFrom('conversations').where('id', '=', branch).execute();
    return false;
  }
  return pruneBranches(write, id);
}

/** Whether the branch has the same question and no answer. */
async function isUnansweredDuplicate(
  write: Transaction<Schema>,
  branch: string,
  { user }: TurnStart,
): Promise<boolean> {
  const messages = await write
    .selectFrom('messages')
    .select(['role', 'content', 'status'])
    .where('conversation_id', '=', branch)
    .limit(3)
    .execute();
  return (
    messages.length <= 2 &&
    messages.every(({ role, content, status }) =>
      role === 'user' ? content === user.content : content === '' && status !== 'complete',
    )
  );
}
