import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { foldersApi } from '@knowhow/shared/chat/folders';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';

/** The folders, refreshed together with the conversation list. */
export function useFolders() {
  return useQuery({
    queryKey: [...endpointQueryFilter(conversationsApi.list).queryKey, 'folders'],
    queryFn: async ({ signal }) => (await call(foldersApi.list, {}, { signal })).items,
  });
}

/** Moves conversations to a folder, one after the other; null removes them from theirs. */
export function useMove() {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return async (ids: readonly string[], folder: string | null): Promise<void> => {
    try {
      for (const id of ids) {
        await call(conversationsApi.change, { params: { id }, body: { folder } });
      }
    } catch (error) {
      showError(error);
    }
    await queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list));
  };
}
