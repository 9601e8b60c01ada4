import type { User } from '@knowhow/shared/access/admin-users';

/** Whether a user is in a group, manually or through the identity provider. */
export function isGroupMember({ groups, directory }: User, group: string): boolean {
  return groups.includes(group) || directory?.groups.includes(group) === true;
}
