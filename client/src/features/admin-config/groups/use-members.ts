import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../../../api/query.ts';
import { useRight } from '../../../ui/rights.ts';
import { isIn } from '../is-in.ts';

/** Who is in a group, once that is known; only those know it who look after users. */
export function useMembers(group: string): User[] | undefined {
  const users = useQuery({ ...allItems(adminUsersApi.list, {}), enabled: useRight('users') });
  return users.data?.filter((user) => isIn(user, group));
}
