import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';

interface Change {
  title?: string;
  pinned?: boolean;
  archived?: boolean;
}

/** Renames, pins or archives a conversation; `variables` is the pending change. */
export function useChange(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useMutation({
    mutationFn: (change: Change) => call(conversationsApi.change, { params: { id }, body: change }),
    onError: showError,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list)),
        queryClient.invalidateQueries({
          queryKey: [conversationsApi.get.path, { params: { id } }],
        }),
      ]),
  });
}
