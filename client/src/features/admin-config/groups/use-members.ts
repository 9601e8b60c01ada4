import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../../api/query.ts';
import { useRight } from '../../../ui/rights.ts';
import { isGroupMember } from '../is-group-member.ts';

/** The members of a group, once loaded; only users who may administer users can see them. */
export function useMembers(group: string): User[] | undefined {
  const users = useQuery({ ...allItems(adminUsersApi.list, {}), enabled: useRight('users') });
  return users.data?.filter((user) => isGroupMember(user, group));
}
