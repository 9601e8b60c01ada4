import type { AuditLog } from '../../platform/storage/audit-log.ts';
import type { Accounts, Caller } from '../identity/index.ts';
import { type Recipient, recipientsChecksum, type ShareChange } from '../skills/index.ts';

export interface SharingAudit {
  accounts: Pick<Accounts, 'usernameOf'>;
  audit: AuditLog;
}

type Change = Omit<ShareChange, 'skill'> & Partial<Pick<ShareChange, 'skill'>>;

/**
 * Records with whom an owner shares a personal skill. The entry has the skill's UUID but not its name, which
 * administrators do not learn.
 */
export async function recordSharing(
  { accounts, audit }: SharingAudit,
  by: Pick<Caller, 'id' | 'name'>,
  { skill, before, after }: Change,
): Promise<void> {
  if (recipientsChecksum(before) === recipientsChecksum(after)) {
    return;
  }
  const describe = (recipients: readonly Recipient[]) => ({
    personalSkill: skill,
    groups: idsOf(recipients, 'group'),
    users: idsOf(recipients, 'user'),
  });
  await audit.record({
    by,
    action: after.length === 0 ? 'skill-sharing-ended' : 'skill-shared',
    kind: 'user',
    target: (await accounts.usernameOf(by.id)) ?? by.id,
    before: describe(before),
    after: describe(after),
  });
}

function idsOf(recipients: readonly Recipient[], wanted: Recipient['kind']): string[] {
  return recipients.filter(({ kind }) => kind === wanted).map(({ id }) => id);
}
