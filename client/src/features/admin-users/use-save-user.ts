import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

type Values = Pick<User, 'username' | 'name' | 'groups' | 'disabled'>;

/**
 * Changes a user, or adds one where none is given: its data is then the password that was made, and
 * `onSaved` is not called, as somebody has to read that first.
 */
export function useSaveUser(user: User | undefined, onSaved: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ username, name, groups, disabled }: Values) => {
      if (user) {
        const change = { params: { id: user.id }, body: { name, groups, disabled } };
        await call(adminUsersApi.update, change);
        return;
      }
      return (await call(adminUsersApi.create, { body: { username, name, groups } })).password;
    },
    onSuccess: (password) => {
      // Names and rights show on other pages as well.
      void queryClient.invalidateQueries();
      if (password === undefined) {
        onSaved();
      }
    },
  });
}
