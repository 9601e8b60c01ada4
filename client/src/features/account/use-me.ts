import { authApi, type Me } from '@knowhow/shared/auth';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';

const meQuery = { ...query(authApi.me, {}), staleTime: Number.POSITIVE_INFINITY };

/** Whoever is using this browser. The first request of all: it sets the session's cookie. */
export function useMe() {
  return useQuery(meQuery);
}

/** Signs in. Throws a `Problem`, `wrong-credentials` for one. */
export function useSignIn() {
  const queryClient = useQueryClient();
  return async (username: string, password: string) => {
    become(queryClient, await call(authApi.login, { body: { username, password } }));
  };
}

export function useSignOut() {
  const queryClient = useQueryClient();
  return async () => {
    await call(authApi.logout, {});
    become(queryClient, await call(authApi.me, {}));
  };
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
