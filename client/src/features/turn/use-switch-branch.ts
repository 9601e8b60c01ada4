import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { linesApi } from '@knowhow/shared/lines';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { conversationQuery } from './conversation-query.ts';
import { notifyOtherTabs } from './other-tabs.ts';

/**
 * Returns a function that switches the branch of a conversation, here and in other tabs, and the last requested
 * branch.
 */
export function useSwitchBranch<Move extends { to: string }>(conversationId: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const { mutate, variables, isError, isPending } = useMutation({
    mutationFn: ({ to }: Move) =>
      call(linesApi.change, { params: { id: conversationId }, body: { question: to } }),
    onSuccess: () => {
      void queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list));
      notifyOtherTabs(conversationId);
    },
    onError: showError,
    onSettled: () => queryClient.invalidateQueries(conversationQuery(conversationId)),
  });
  return {
    moved: isError ? undefined : variables,
    onMove: (move: Move) => {
      if (!isPending) {
        mutate(move);
      }
    },
  };
}
