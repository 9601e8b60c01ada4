import { QueryCache, QueryClient } from '@tanstack/react-query';
import { asksAgain } from '../api/unreachable.ts';
import { mayBeSessionExpired, refetchUser } from '../features/account/use-me.ts';

export function createQueryClient(): QueryClient {
  // The server may run on this machine, so the browser's online status is ignored.
  const networkMode = 'always';
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode,
        staleTime: 10_000,
        retry: asksAgain,
      },
      mutations: { networkMode },
    },
    queryCache: new QueryCache({
      onError: (error) => {
        if (mayBeSessionExpired(error)) {
          refetchUser(queryClient);
        }
      },
    }),
  });
  return queryClient;
}
