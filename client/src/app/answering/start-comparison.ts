import { chatApi } from '@knowhow/shared/chat/chat';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { conversationQuery } from '../../features/turn/conversation-query.ts';
import { notifyOtherTabs } from '../../features/turn/other-tabs.ts';

/** Lets another model also answer the last question of a conversation, and shows it next to the answer. */
export async function startComparison(
  queryClient: QueryClient,
  { conversationId, model }: { conversationId: string; model: string },
): Promise<void> {
  const query = conversationQuery(conversationId);
  const known = queryClient.getQueryData(query.queryKey);
  const question = known?.messages.findLast(({ role }) => role === 'user');
  if (!known || !question) {
    return;
  }
  const { id: comparison } = await call(chatApi.compare, {
    params: { appId: known.appId, conversationId },
    body: { question: question.id, model },
  });
  queryClient.setQueryData(query.queryKey, (now) => now && { ...now, comparison });
  notifyOtherTabs(conversationId);
}
