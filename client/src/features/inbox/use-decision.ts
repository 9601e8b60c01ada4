import { inboxApi } from '@knowhow/shared/skills/inbox';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { endpointQueryFilter } from '../../api/query.ts';

/** Closes an item by `decide`, and then loads the inbox again. */
export function useDecision(decide: () => Promise<unknown>, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries(endpointQueryFilter(inboxApi.list)),
        queryClient.invalidateQueries(endpointQueryFilter(inboxApi.summary)),
      ]);
      onDone();
    },
  });
}
