import type { ReviewComments } from '@knowhow/shared/skills/skill-reviews';
import type { Change, SkillAdmin } from './skill-admin.ts';

type Dependencies = Pick<SkillAdmin, 'reviews'>;

/** A review, and who reads it or comments on it. */
interface Commenting {
  id: string;
  by: Change['by'];
}

/** The comments on a review. Throws `not-found`. */
export async function listComments(
  { reviews }: Dependencies,
  { id, by }: Commenting,
): Promise<ReviewComments> {
  await reviews.get(id);
  const comments = await reviews.comments.list(id);
  return {
    items: comments.map(({ author, ...comment }) => ({
      ...comment,
      author: author.name,
      isOwn: author.id === by.id,
    })),
  };
}

/** Adds a comment. Throws `not-found`, and `conflict` if there are too many. */
export async function addComment(
  { reviews }: Dependencies,
  { text, ...commenting }: Commenting & { text: string },
): Promise<ReviewComments> {
  const { id, by } = commenting;
  await reviews.get(id);
  await reviews.comments.add(id, { by, text });
  return listComments({ reviews }, commenting);
}

/** Deletes a comment that the caller wrote. Throws `not-found`. */
export async function removeComment(
  { reviews }: Dependencies,
  { comment, ...commenting }: Commenting & { comment: string },
): Promise<ReviewComments> {
  await reviews.comments.remove(commenting.id, comment, commenting.by.id);
  return listComments({ reviews }, commenting);
}
