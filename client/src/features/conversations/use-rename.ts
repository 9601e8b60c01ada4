import { conversationsApi } from '@knowhow/shared/conversations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { everyQueryOf } from '../../api/query.ts';
import { useErrorToast } from '../../ui/use-error-toast.ts';

/** Renames a conversation; `variables` is the new title while the server is still asked. */
export function useRename(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useMutation({
    mutationFn: (title: string) =>
      call(conversationsApi.rename, { params: { id }, body: { title } }),
    onError: showError,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(everyQueryOf(conversationsApi.list)),
        queryClient.invalidateQueries({
          queryKey: [conversationsApi.get.path, { params: { id } }],
        }),
      ]),
  });
}
