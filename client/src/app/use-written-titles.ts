import { conversationsApi } from '@knowhow/shared/conversations';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../api/call.ts';
import { everyQueryOf } from '../api/query.ts';
import { conversationQuery } from '../features/turn/conversation-query.ts';
import { notifyOtherTabs } from '../features/turn/other-tabs.ts';
import { useRunningConversations } from '../features/turn/turn-context.ts';

/** Shows the title that a model gives a conversation after its first answer, in the other tabs too. */
export function useWrittenTitles(): void {
  const queryClient = useQueryClient();
  const running = useRunningConversations();
  const before = useRef(running);
  useEffect(() => {
    const ended = [...before.current].filter((id) => !running.has(id));
    before.current = running;
    for (const id of ended) {
      // Without it the first title stays until the list is loaded again.
      takeTitle(id, queryClient).catch(() => undefined);
    }
  }, [running, queryClient]);
}

async function takeTitle(id: string, queryClient: QueryClient): Promise<void> {
  const { queryKey } = conversationQuery(id);
  const known = queryClient.getQueryData(queryKey);
  if (known?.messages.length !== 2) {
    return;
  }
  const { title } = await call(conversationsApi.title, { params: { id } });
  if (title !== known.title) {
    queryClient.setQueryData(queryKey, (now) => now && { ...now, title });
    await queryClient.invalidateQueries(everyQueryOf(conversationsApi.list));
    notifyOtherTabs(id);
  }
}
