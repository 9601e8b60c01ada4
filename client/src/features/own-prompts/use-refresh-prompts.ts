import { promptsApi } from '@knowhow/shared/chat/prompts';
import { userPromptsApi } from '@knowhow/shared/chat/user-prompts';
import { useQueryClient } from '@tanstack/react-query';
import { endpointQueryFilter } from '../../api/query.ts';

/** Returns a function that invalidates prompts, here and wherever they are offered. */
export function useRefreshPrompts(): () => void {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries(endpointQueryFilter(userPromptsApi.list));
    void queryClient.invalidateQueries(endpointQueryFilter(promptsApi.list));
  };
}
