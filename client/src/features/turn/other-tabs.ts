import { conversationsApi } from '@knowhow/shared/chat/conversations';
import type { QueryClient } from '@tanstack/react-query';
import { endpointQueryFilter } from '../../api/query.ts';
import { conversationQuery } from './conversation-query.ts';

const name = 'knowhow-conversations';

/** Notifies the other tabs of this browser that a conversation has changed. */
export function notifyOtherTabs(conversationId: string): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(conversationId);
  channel.close();
}

/** Refetches what another tab has changed. Returns an unsubscribe function. */
export function followOtherTabs(queryClient: QueryClient): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    void queryClient.invalidateQueries(conversationQuery(String(data)));
    void queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list));
  };
  return () => channel.close();
}
