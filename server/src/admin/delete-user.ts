import { problem } from '@knowhow/shared/problem';
import type { Caller } from '../access/caller.ts';
import type { UserAdmin } from '../access/user-admin.ts';
import type { RunningTurns } from '../chat/running-turns.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { AuditLog } from '../storage/audit-log.ts';

/** What it takes to delete a user with all that is theirs. */
export interface UserDeletion {
  userAdmin: UserAdmin;
  conversations: ConversationStore;
  runningTurns: RunningTurns;
  audit: AuditLog;
}

interface Deletion {
  id: string;
  by: Caller;
  /** What becomes of the conversations. Those that are kept nobody can read any more. */
  conversations: 'delete' | 'keep';
}

/**
 * Deletes a user, who is disabled first: what a crash leaves is a user who can be deleted again. Throws
 * `not-found`, and `conflict` for oneself, for `admin`, and for the last who can administer.
 */
export async function deleteUser(
  { userAdmin, conversations, runningTurns, audit }: UserDeletion,
  { id, by, ...wanted }: Deletion,
): Promise<void> {
  if (id === by.id) {
    throw problem('conflict', 'You cannot delete yourself. Ask another administrator to do it.');
  }
  const { username } = await userAdmin.get(id);
  if (username === 'admin') {
    throw problem(
      'conflict',
      'The account admin is made again at every start. Keep it from signing in instead.',
    );
  }
  const { before } = await userAdmin.update(id, { disabled: true }, by);
  await runningTurns.stopAllOf(id);
  const count =
    wanted.conversations === 'delete'
      ? { deleted: await conversations.removeAllOf(id) }
      : { kept: await conversations.countOf(id) };
  await userAdmin.remove(id);
  const what = { kind: 'user' as const, target: username, before, after: { conversations: count } };
  await audit.record({ by, action: 'delete', ...what });
}
