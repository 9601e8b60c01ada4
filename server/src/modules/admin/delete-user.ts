import { problem } from '@knowhow/shared/problem';
import type { AuditLog } from '../../platform/storage/audit-log.ts';
import type { RunningTurns } from '../chat/index.ts';
import type { ConversationStore } from '../conversations/index.ts';
import type { Caller, UserAdmin } from '../identity/index.ts';
import type { Inbox, PersonalSkills, SkillReviews, SkillShares } from '../skills/index.ts';
import { withdrawIfOpen } from './skills/skill-reviews.ts';

/** Dependencies of deleting a user with all data. */
export interface UserDeletion {
  userAdmin: UserAdmin;
  conversations: ConversationStore;
  runningTurns: RunningTurns;
  personalSkills: PersonalSkills;
  skillShares: Pick<SkillShares, 'forget'>;
  reviews: SkillReviews;
  inbox: Pick<Inbox, 'forgetUser'>;
  audit: AuditLog;
}

interface Deletion {
  id: string;
  by: Caller;
  /** How to treat the conversations. Kept ones become inaccessible. */
  conversations: 'delete' | 'keep';
}

/**
 * Disables and then deletes a user: after a crash, the user can be deleted again. Throws
 * `not-found`, and `conflict` for oneself, for `admin`, and for the last full administrator.
 */
export async function deleteUser(
  deletion: UserDeletion,
  { id, by, ...wanted }: Deletion,
): Promise<void> {
  const { userAdmin, conversations, runningTurns, personalSkills, reviews, audit } = deletion;
  if (id === by.id) {
    throw problem('conflict', 'You cannot delete yourself. Ask another administrator to do it.');
  }
  const { username } = await userAdmin.get(id);
  if (username === 'admin') {
    throw problem(
      'conflict',
      'The account admin is created again at every start. Disable it instead.',
    );
  }
  const { before } = await userAdmin.update(id, { disabled: true }, by);
  await runningTurns.stopAllOf(id);
  const count =
    wanted.conversations === 'delete'
      ? { deleted: await conversations.removeAllOf(id) }
      : { kept: await conversations.countOf(id) };
  const own = await personalSkills.list(id);
  const skills = await personalSkills.removeAllOf(id);
  for (const { review } of own) {
    await withdrawIfOpen({ reviews, audit }, review, by);
  }
  await deletion.skillShares.forget({ kind: 'user', id });
  await deletion.inbox.forgetUser(id);
  await userAdmin.remove(id);
  const what = {
    kind: 'user' as const,
    target: username,
    before,
    after: { conversations: count, skills },
  };
  await audit.record({ by, action: 'delete', ...what });
}
