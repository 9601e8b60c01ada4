import { adminApi } from '@knowhow/shared/config/admin';
import { useQuery } from '@tanstack/react-query';
import { query } from '../api/query.ts';
import { useRight } from './rights.ts';

/** Whether the user may change published files without a review. */
export function usePublishing() {
  const status = useQuery(query(adminApi.status, {}));
  const isPublisher = useRight('publish');
  // If it cannot be read, the server refuses what it does not allow.
  const publishing = status.data?.publishing;
  const mayPublish = publishing?.mode !== 'review' || (isPublisher && !publishing.fourEyes);
  return { mayPublish, isPending: status.isPending };
}
