import { runnerApi } from '@knowhow/shared/config/runner';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from '../api/call.ts';
import { query } from '../api/query.ts';

export type RunnerFacts = z.output<typeof runnerApi.state.response>;

const runnerQuery = query(runnerApi.state, {});
const mutationKey = ['runner-sync'];
/** How often it is asked how far a synchronisation is, in ms. */
const everyMs = 1000;

/** What runs scripts of skills. */
export function useRunner() {
  const isSyncing = useIsMutating({ mutationKey }) > 0;
  return useQuery({
    ...runnerQuery,
    refetchInterval: ({ state: { data } }) => (isSyncing || data?.syncing ? everyMs : false),
  });
}

/** Makes the runner's copies of skills as the skills are now. */
export function useSync() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey,
    mutationFn: () => call(runnerApi.sync, {}),
    onSettled: () => queryClient.invalidateQueries(runnerQuery),
  });
}
