import { type Group, groupSchema } from '@knowhow/shared/access/groups';
import type { RawConfig } from '../../content/index.ts';
import type { Caller } from '../caller.ts';
import { computePermissions } from '../permissions.ts';
import { assertNoPrivilegeEscalation } from './admin-rights.ts';

interface GroupChange {
  id: string;
  by: Caller;
  /** Current groups. */
  groups: ReadonlyMap<string, Group>;
  /** The group after the change, with placeholders filled in; undefined if it is deleted. */
  after?: RawConfig;
}

/**
 * Throws `forbidden` if a group gives its members more admin rights than the caller has, or would
 * after the change. Inherited rights count. Memberships of such groups are left to administrators
 * with these rights.
 */
export function assertMayEditGroup({ id, by, groups, after }: GroupChange): void {
  const rightsNow = computePermissions([id], groups).adminAccess;
  assertNoPrivilegeEscalation(by, rightsNow, `Members of "${id}" administer more than you do.`);
  if (after) {
    const then = new Map(groups).set(id, groupSchema.parse(after));
    const rights = computePermissions([id], then).adminAccess;
    assertNoPrivilegeEscalation(
      by,
      rights,
      `Members of "${id}" would administer more than you do.`,
    );
  }
}
