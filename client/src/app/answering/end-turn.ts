import { conversationsApi } from '@knowhow/shared/chat/conversations';
import type { QueryClient } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { notifyDone } from '../../features/notices/notify-done.ts';
import { conversationQuery } from '../../features/turn/conversation-query.ts';
import { notifyOtherTabs } from '../../features/turn/other-tabs.ts';

interface Ended {
  queryClient: QueryClient;
  /** Duration, as far as this page knows. */
  ms: number;
  /** Navigates to the conversation. */
  open: () => void;
  translations: i18n;
}

/** Notifies users who are elsewhere, and shows the generated title. Throws what the server refuses. */
export async function endTurn(id: string, ended: Ended): Promise<void> {
  const { queryClient, translations, ...rest } = ended;
  const conversation = queryClient.getQueryData(conversationQuery(id).queryKey);
  // Comparison answers have no title; the main conversation notifies.
  if (conversation?.title === '') {
    return;
  }
  const answer = conversation?.messages.at(-1);
  const isDone = answer?.role === 'assistant' && answer.status === 'complete';
  void notifyDone({ id, title: conversation?.title, isDone, ...rest }, translations);
  await fetchGeneratedTitle(id, queryClient);
}

/** Waits for the generated title after the first answer, and shows it. Throws what the server refuses. */
async function fetchGeneratedTitle(id: string, queryClient: QueryClient): Promise<void> {
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
