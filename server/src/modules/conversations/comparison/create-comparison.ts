import type { UserMessage } from '@knowhow/shared/chat/conversations';
import { problem } from '@knowhow/shared/problem';
import type { Transaction } from 'kysely';
import { branchOwner } from '../../../platform/storage/branch-owner.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { nextTimestamp } from '../archive-branch.ts';
import { namesColumn } from '../conversation-rows.ts';
import { moveFiles } from '../move-files.ts';
import { pruneBranches } from '../prune-branches.ts';
import { closeComparison } from './close-comparison.ts';

interface ComparisonStart {
  owner: string;
  /** The branch. */
  conversation: { id: string; model: string };
  position: number;
  user: UserMessage;
  skillsOff: readonly string[];
  ranked: readonly string[] | undefined;
  tools: readonly string[];
}

/**
 * Creates the branch of a second answer to a conversation's last question; it starts archived. Returns whether old
 * branches were pruned. Throws `not-found` if the conversation has been deleted, `changed-meanwhile` if it has
 * continued.
 *
 * @param mainId ID of the main conversation
 */
export async function createComparisonBranch(
  write: Transaction<Schema>,
  turn: ComparisonStart,
  mainId: string,
): Promise<boolean> {
  const { conversation, position, user, owner, skillsOff, ranked, tools } = turn;
  const { id, model } = conversation;
  const before = await write
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', mainId)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (!before) {
    throw problem('not-found', 'This conversation has been deleted. Begin a new one.');
  }
  const shown = await write
    .selectFrom('messages')
    .select('content')
    .where('conversation_id', '=', mainId)
    .where('position', '>=', position)
    .orderBy('position')
    .limit(3)
    .execute();
  if (shown.length > 2 || shown[0]?.content !== user.content) {
    throw problem(
      'changed-meanwhile',
      'This conversation has changed in the meantime. Reload the page.',
    );
  }
  await closeComparison(write, mainId);
  await write
    .insertInto('conversations')
    .values({
      ...before,
      id,
      model,
      owner: branchOwner,
      title: '',
      skills_off: namesColumn(skillsOff),
      ranked: namesColumn(ranked),
      tools: namesColumn(tools),
    })
    .execute();
  await write
    .insertInto('lines')
    .values({
      id,
      position,
      conversation_id: mainId,
      ends: '[]',
      bytes: 0,
      is_comparison: 1,
      created_at: await nextTimestamp(write, mainId),
    })
    .execute();
  await moveFiles(write, { from: mainId, to: id }, user.attachments ?? []);
  return pruneBranches(write, mainId);
}
