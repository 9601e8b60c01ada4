import { type Group, groupSchema } from '@knowhow/shared/access/groups';
import type { RawConfig } from '../../content/raw-config.ts';
import type { Caller } from '../caller.ts';
import { permissionsOf } from '../permissions.ts';
import { assertNoPrivilegeEscalation } from './admin-rights.ts';

interface GroupChange {
  id: string;
  by: Caller;
  /** As they are now. */
  groups: ReadonlyMap<string, Group>;
  /** The group as it would be, with placeholders filled; left out where it goes. */
  after?: RawConfig;
}

/**
 * Throws `forbidden` where a group lets its members administer more than the user who changes it, or would: by its
 * own rights or by those it inherits. Who comes into it is a matter of those who have these rights, too.
 */
export function refuseGroupOfOthers({ id, by, groups, after }: GroupChange): void {
  const rightsNow = permissionsOf([id], groups).adminAccess;
  assertNoPrivilegeEscalation(by, rightsNow, `Members of "${id}" administer more than you do.`);
  if (after) {
    const then = new Map(groups).set(id, groupSchema.parse(after));
    const rights = permissionsOf([id], then).adminAccess;
    assertNoPrivilegeEscalation(
      by,
      rights,
      `Members of "${id}" would administer more than you do.`,
    );
  }
}
