import { adminAccessSchema, everyRight } from '@knowhow/shared/access/admin-rights';
import { type Group, groupSchema, withGroupNames } from '@knowhow/shared/access/groups';
import { isRecord } from '@knowhow/shared/is-record';
import { z } from 'zod';

const fallbackGroup = 'admins';
const inheritsSchema = z.array(z.string());

export const recoveredMessage =
  'This file is broken, and there is no earlier state of it. Groups that are wrong keep their administrators alone. If no administrator is left, members of "admins" have all rights.';

/**
 * Recovers groups from a broken `groups.json` if there is no last good state, so that administrators can sign in and
 * fix it. An invalid group keeps its admin permissions if they are readable, and nothing else.
 *
 * @param config the file with placeholders filled; undefined if it is not JSON
 */
export function recoverGroups(config: unknown): Record<string, Group> {
  const written = isRecord(config) ? withGroupNames(config.groups) : undefined;
  const groups = Object.fromEntries(
    Object.entries(isRecord(written) ? written : {}).map(([id, group]) => [
      id,
      readGroup(id, group),
    ]),
  );
  return Object.values(groups).some(isAdminGroup)
    ? groups
    : {
        ...groups,
        [fallbackGroup]: { id: fallbackGroup, name: 'Admins', permissions: { adminAccess: true } },
      };
}

function readGroup(id: string, written: unknown): Group {
  const whole = groupSchema.safeParse(written);
  if (whole.success) {
    return whole.data;
  }
  const { inherits, permissions } = isRecord(written) ? written : {};
  const access = isRecord(permissions) ? permissions.adminAccess : undefined;
  return {
    ...{ id, name: id, inherits: inheritsSchema.safeParse(inherits).data ?? [] },
    permissions: { adminAccess: adminAccessSchema.safeParse(access).data ?? false },
  };
}

function isAdminGroup({ permissions }: Group): boolean {
  const access = permissions?.adminAccess;
  return access === true || (Array.isArray(access) && access.includes(everyRight));
}
