import { runnerApi } from '@knowhow/shared/config/runner';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from '../api/call.ts';
import { query } from '../api/query.ts';

export type RunnerFacts = z.output<typeof runnerApi.state.response>;

const runnerQuery = query(runnerApi.state, {});
const mutationKey = ['runner-sync'];
/** Polling interval of a synchronisation, in ms. */
const everyMs = 1000;

/** The script runner. */
export function useRunner() {
  const isSyncing = useIsMutating({ mutationKey }) > 0;
  return useQuery({
    ...runnerQuery,
    refetchInterval: ({ state: { data } }) => (isSyncing || data?.syncing ? everyMs : false),
  });
}

/** Synchronises the runner's skill copies. */
export function useSync() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey,
    mutationFn: () => call(runnerApi.sync, {}),
    onSettled: () => queryClient.invalidateQueries(runnerQuery),
  });
}
