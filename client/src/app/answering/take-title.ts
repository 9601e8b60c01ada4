import { conversationsApi } from '@knowhow/shared/chat/conversations';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { conversationQuery } from '../../features/turn/conversation-query.ts';
import { notifyOtherTabs } from '../../features/turn/other-tabs.ts';

/** Waits for the generated title after the first answer, and shows it. Throws what the server refuses. */
export async function fetchGeneratedTitle(id: string, queryClient: QueryClient): Promise<void> {
  const { queryKey } = conversationQuery(id);
  const known = queryClient.getQueryData(queryKey);
  if (known?.messages.length !== 2) {
    return;
  }
  const { title } = await call(conversationsApi.title, { params: { id } });
  if (title !== known.title) {
    queryClient.setQueryData(queryKey, (now) => now && { ...now, title });
    await queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list));
    notifyOtherTabs(id);
  }
}
