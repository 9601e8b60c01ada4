import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { foldersApi } from '@knowhow/shared/chat/folders';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';

/** The folders, refreshed together with the conversation list. */
export function useFolders() {
  return useQuery({
    queryKey: [...endpointQueryFilter(conversationsApi.list).queryKey, 'folders'],
    queryFn: async ({ signal }) => (await call(foldersApi.list, {}, { signal })).items,
  });
}
