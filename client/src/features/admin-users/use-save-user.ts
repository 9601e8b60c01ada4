import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

type Values = Pick<User, 'username' | 'name' | 'groups' | 'disabled'>;

/**
 * Updates a user, or creates one if none is given. For a new user, the result is the generated password, and
 * `onSaved` is not called, because the password has to be shown first.
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
      // Names and permissions are shown on other pages, too.
      void queryClient.invalidateQueries();
      if (password === undefined) {
        onSaved();
      }
    },
  });
}
