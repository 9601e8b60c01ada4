import type { QueryClient } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { notifyDone } from '../../features/notices/notify-done.ts';
import { conversationQuery } from '../../features/turn/conversation-query.ts';
import { takeTitle } from './take-title.ts';

interface Ended {
  queryClient: QueryClient;
  /** How long it took, as far as this page knows. */
  ms: number;
  /** Shows the conversation. */
  open: () => void;
  translations: i18n;
}

/** Tells who is elsewhere that an answer is there, and shows the title that a model has written. Throws what the server refuses. */
export async function endTurn(id: string, ended: Ended): Promise<void> {
  const { queryClient, translations, ...rest } = ended;
  const conversation = queryClient.getQueryData(conversationQuery(id).queryKey);
  // A second answer beside one has no title: it is heard of with its conversation.
  if (conversation?.title === '') {
    return;
  }
  const answer = conversation?.messages.at(-1);
  const isDone = answer?.role === 'assistant' && answer.status === 'complete';
  void notifyDone({ id, title: conversation?.title, isDone, ...rest }, translations);
  await takeTitle(id, queryClient);
}
