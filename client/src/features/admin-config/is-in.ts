import type { User } from '@knowhow/shared/access/admin-users';

/** Whether somebody is in a group, by hand or by what their directory says. */
export function isIn({ groups, directory }: User, group: string): boolean {
  return groups.includes(group) || directory?.groups.includes(group) === true;
}
