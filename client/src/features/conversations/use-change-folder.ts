import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { foldersApi } from '@knowhow/shared/chat/folders';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';

/** Renames or deletes a folder; conversations are kept. */
export function useChangeFolder(name: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const change = (asked: Promise<void>) =>
    asked
      .catch(showError)
      .then(() => queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list)));
  const params = { name };
  return {
    rename: (next: string, onRenamed: () => void) =>
      void change(call(foldersApi.rename, { params, body: { name: next } }).then(onRenamed)),
    remove: () => void change(call(foldersApi.remove, { params })),
  };
}
