import type { Instructions } from '@knowhow/shared/access/preferences';
import type {
  AssistantMessage,
  ConversationSummary,
  Message,
} from '@knowhow/shared/chat/conversations';
import { problem } from '@knowhow/shared/problem';
import type { Selectable, Transaction } from 'kysely';
import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import { compileOnce } from '../../platform/storage/compile-once.ts';
import { jsonRows, parseRows } from '../../platform/storage/json-rows.ts';
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
  mainConversationId?: string;
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

/** Result of starting a turn. */
export interface StartedTurn {
  /** Whether old branches of the conversation were pruned to make room for another. */
  hasPrunedBranches: boolean;
  /** Names of the skills that are active from then on, if they were read. */
  activeNames: ReadonlySet<string> | undefined;
}

/** Stores the start of a turn. Throws `not-found` if the conversation has been deleted. */
export async function beginTurn(write: Transaction<Schema>, turn: TurnStart): Promise<StartedTurn> {
  const { conversation, user } = turn;
  const { id } = conversation;
  const found = await openConversation(write, turn);
  await insertMessages(write, turn);
  await bindFiles(write, user.attachments ?? [], { conversationId: id, messageId: user.id });
  await storeTexts(write, turn.reloaded);
  await storeEnds(write, id, [...turn.ended, ...turn.expired]);
  await insertActivations(write, id, turn.activated);
  return {
    hasPrunedBranches: found.hasPruned,
    activeNames: found.activeNames && namesAfter(turn, found.activeNames),
  };
}

interface OpenedConversation {
  hasPruned: boolean;
  /** Names of the skills that were active before; undefined if they were not read. */
  activeNames: readonly string[] | undefined;
}

/** Creates the conversation or comparison branch of a turn, or makes room for the turn in an existing conversation. */
async function openConversation(
  write: Transaction<Schema>,
  turn: TurnStart,
): Promise<OpenedConversation> {
  if (turn.mainConversationId !== undefined) {
    const hasPruned = await createComparisonBranch(write, turn, turn.mainConversationId);
    return { hasPruned, activeNames: undefined };
  }
  if (turn.isNew) {
    await insertConversation(write, turn);
    return { hasPruned: false, activeNames: [] };
  }
  const opened = await continueConversation(write, turn);
  await touchConversation(write, turn);
  return opened;
}

/** Names of the active skills after the start of a turn. */
function namesAfter(
  { ended, expired, activated }: TurnStart,
  before: readonly string[],
): ReadonlySet<string> {
  const endedNames = new Set([...ended, ...expired].map(({ activation }) => activation.name));
  return new Set([
    ...before.filter((name) => !endedNames.has(name)),
    ...activated.map(({ activation }) => activation.name),
  ]);
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
      pinned: 0,
      archived: 0,
    })
    .execute();
}

async function touchConversation(write: Transaction<Schema>, turn: TurnStart): Promise<void> {
  const { conversation, position, skillsOff, ranked, tools } = turn;
  const { id, model, title, updatedAt } = conversation;
  await write
    .updateTable('conversations')
    .set({
      model,
      updated_at: updatedAt,
      archived: 0,
      // A turn at position 0 sets the title. Later turns must not overwrite a title that was changed meanwhile.
      ...(position === 0 ? { title } : {}),
      skills_off: namesColumn(skillsOff),
      ranked: namesColumn(ranked),
      tools: namesColumn(tools),
    })
    .where('id', '=', id)
    .execute();
}

/** Interrupts abandoned answers of a conversation, closes its comparison and archives the replaced messages. */
async function continueConversation(
  write: Transaction<Schema>,
  turn: TurnStart,
): Promise<OpenedConversation> {
  const { id } = turn.conversation;
  await acquireTransactionLock(write, `lines ${id}`);
  const [found] = await selectStates(write, { id, position: turn.position });
  if (!found) {
    throw problem('not-found', 'This conversation has been deleted. Begin a new one.');
  }
  const { running, comparisons, replaced, active, ...before } = found;
  if (running) {
    await interruptAnswers(write, id);
  }
  if (comparisons) {
    await closeComparison(write, id);
  }
  return replaced
    ? { hasPruned: await archiveReplaced(write, turn, before), activeNames: undefined }
    : { hasPruned: false, activeNames: parseRows(active).map(({ name }) => name) };
}

/** The row of a conversation, and whether it has running answers, comparisons and messages from a position on. */
const selectStates = compileOnce({ id: ':id', position: -1 }, (write, { id, position }) =>
  write
    .selectFrom('conversations')
    .selectAll()
    .where('conversations.id', '=', id)
    .select((eb) => {
      const messages = eb
        .selectFrom('messages')
        .select('messages.id')
        .whereRef('messages.conversation_id', '=', 'conversations.id');
      const comparisons = eb
        .selectFrom('lines')
        .select('lines.id')
        .whereRef('lines.conversation_id', '=', 'conversations.id')
        .where('is_comparison', '=', 1);
      const active = eb
        .selectFrom('activations')
        .select('activations.name')
        .whereRef('activations.conversation_id', '=', 'conversations.id')
        .where('ended_at', 'is', null);
      return [
        eb.exists(messages.where('status', '=', 'running')).as('running'),
        eb.exists(messages.where('position', '>=', position)).as('replaced'),
        eb.exists(comparisons).as('comparisons'),
        jsonRows(write, active).as('active'),
      ];
    }),
);

/**
 * Archives the replaced messages as a branch, unless it would be an unanswered duplicate. Returns whether old
 * branches were pruned.
 *
 * @param before row of the conversation before the turn
 */
async function archiveReplaced(
  write: Transaction<Schema>,
  turn: TurnStart,
  before: Selectable<Schema['conversations']>,
): Promise<boolean> {
  const { id } = turn.conversation;
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
