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

/** Whether somebody's session ended without their doing. */
const signedOutKey = ['signed-out'];

/** Whoever is using this browser. The first request of all: it sets the session's cookie. */
export function useMe() {
  return useQuery(meQuery);
}

/** Whether the session here has ended by itself; until somebody signs in. */
export function useIsSignedOut(): boolean {
  return useQuery({ queryKey: signedOutKey, enabled: false, initialData: false }).data;
}

/** Signs in. Throws a `Problem`: `wrong-credentials`; `second-factor-required` where a code is wanted too. */
export function useSignIn() {
  const queryClient = useQueryClient();
  return async (username: string, password: string, code?: string) => {
    const body = { username, password, ...(code === undefined ? {} : { code }) };
    become(queryClient, await call(authApi.login, { body }));
  };
}

export function useSignOut() {
  const queryClient = useQueryClient();
  return async () => {
    const elsewhere = await call(authApi.logout, {});
    if (elsewhere) {
      window.location.assign(elsewhere.url);
    }
    become(queryClient, await call(authApi.me, {}));
  };
}

/** Changes the own password. Throws a `Problem`, `wrong-credentials` when the current one is not right. */
export function useChangePassword() {
  const queryClient = useQueryClient();
  return async (current: string, password: string) => {
    await call(accountApi.changePassword, { body: { current, password } });
    await queryClient.invalidateQueries(meQuery);
  };
}

/** Whether an error may come of a session that has ended: others do not see what is somebody's own. */
export function mayBeSignedOut(error: unknown): boolean {
  return (
    error instanceof Problem && ['not-signed-in', 'not-found', 'forbidden'].includes(error.code)
  );
}

/** Asks again who this is, after the server said that it does not know. */
export function askWhoThisIs(queryClient: QueryClient): void {
  void queryClient.invalidateQueries(meQuery);
}

/** Somebody else is here: nothing of what was loaded before may stay. */
function become(queryClient: QueryClient, me: Me): void {
  queryClient.removeQueries({
    predicate: ({ queryKey }) => queryKey[0] !== authApi.me.path,
  });
  queryClient.setQueryData(meQuery.queryKey, me);
}
