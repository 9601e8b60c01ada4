import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { query } from '../../api/query.ts';

/** The query for one conversation; what a running turn brings is written into its data. */
export function conversationQuery(id: string) {
  return query(conversationsApi.get, { params: { id } });
}
