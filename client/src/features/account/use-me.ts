import { accountApi } from '@knowhow/shared/access/account';
import { authApi, type Me } from '@knowhow/shared/access/auth';
import { Problem } from '@knowhow/shared/problem';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';

const meQuery = queryOptions({
  queryKey: query(authApi.me, {}).queryKey,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ client, signal }) => {
    const before = client.getQueryData<Me>(meQuery.queryKey);
    const me = await call(authApi.me, {}, { signal });
    if (before?.anonymous === false && me.anonymous) {
      client.setQueryData(signedOutKey, true);
    }
    return me;
  },
});

/** Whether the session has expired, rather than been signed out. */
const signedOutKey = ['signed-out'];

/** The current user. This is the first request: it sets the session cookie. */
export function useMe() {
  return useQuery(meQuery);
}

/** Whether the session has expired; until the user signs in again. */
export function useIsSignedOut(): boolean {
  return useQuery({ queryKey: signedOutKey, enabled: false, initialData: false }).data;
}

/** Signs in. Throws a `Problem`: `wrong-credentials`; `second-factor-required` where a code is wanted too. */
export function useSignIn() {
  const queryClient = useQueryClient();
  return async (username: string, password: string, code?: string) => {
    const body = { username, password, ...(code === undefined ? {} : { code }) };
    switchUser(queryClient, await call(authApi.login, { body }));
  };
}

export function useSignOut() {
  const queryClient = useQueryClient();
  return async () => {
    const elsewhere = await call(authApi.logout, {});
    if (elsewhere) {
      window.location.assign(elsewhere.url);
    }
    switchUser(queryClient, await call(authApi.me, {}));
  };
}

/** Changes the user's own password. Throws `wrong-credentials` if the current one is wrong. */
export function useChangePassword() {
  const queryClient = useQueryClient();
  return async (current: string, password: string) => {
    await call(accountApi.changePassword, { body: { current, password } });
    await queryClient.invalidateQueries(meQuery);
  };
}

/** Whether an error may come from an expired session: other users' data looks not found. */
export function mayBeSessionExpired(error: unknown): boolean {
  return (
    error instanceof Problem && ['not-signed-in', 'not-found', 'forbidden'].includes(error.code)
  );
}

/** Re-identifies the user after the server reported an unknown session. */
export function refetchUser(queryClient: QueryClient): void {
  void queryClient.invalidateQueries(meQuery);
}

/** The user has changed: nothing loaded before may stay. */
function switchUser(queryClient: QueryClient, me: Me): void {
  queryClient.removeQueries({
    predicate: ({ queryKey }) => queryKey[0] !== authApi.me.path,
  });
  queryClient.setQueryData(meQuery.queryKey, me);
}
