import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { query } from '../../api/query.ts';

/** The query for one conversation; events of a running turn are written into its data. */
export function conversationQuery(id: string) {
  return query(conversationsApi.get, { params: { id } });
}
