import { adminUsersApi, type User } from '@knowhow/shared/admin-users';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../../api/query.ts';
import { isIn } from '../is-in.ts';

/** Who is in a group; nobody until that is known. */
export function useMembers(group: string): User[] {
  const users = useQuery(allItems(adminUsersApi.list, {}));
  return users.data?.filter((user) => isIn(user, group)) ?? [];
}
