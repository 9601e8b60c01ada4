import { adminApi } from '@knowhow/shared/config/admin';
import { getReviewPolicy, listReviewPolicies } from '@knowhow/shared/skills/publishing-policy';
import { useQuery } from '@tanstack/react-query';
import { query } from '../api/query.ts';
import { useRight } from './rights.ts';

type Policy = ReturnType<typeof getReviewPolicy>;

/** The policy for skills of a category, and whether it lets the user change published files without a review. */
export function usePublishing(category?: string) {
  const status = useQuery(query(adminApi.status, {}));
  const isManager = useRight('skills');
  const isPublisher = useRight('publish');
  // If it cannot be read, the server refuses what it does not allow.
  const publishing = status.data?.publishing;
  const allows = ({ mode, fourEyes }: Policy) => mode !== 'review' || (isPublisher && !fourEyes);
  // Authors of some categories save drafts only.
  const mayPublishIn = (other: string | undefined) =>
    isManager && (!publishing || allows(getReviewPolicy(publishing, [other])));
  return {
    policy: publishing && getReviewPolicy(publishing, [category]),
    mayPublish: mayPublishIn(category),
    mayPublishIn,
    /** In some category, or without one. */
    mayPublishAny: isManager && (!publishing || listReviewPolicies(publishing).some(allows)),
    /** Whether edits in the file system become drafts. */
    reviewsFiles: publishing?.files === 'review',
    isPending: status.isPending,
  };
}
