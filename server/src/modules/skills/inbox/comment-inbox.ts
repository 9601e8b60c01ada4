import { maxUnreadComments } from '@knowhow/shared/skills/inbox';
import type { Database } from '../../../platform/storage/open-database.ts';
import { parseAuthors } from '../drafts/authors.ts';
import { readCategory } from '../versions/category-of.ts';

/** A comment of another person on a review. */
interface UnreadComment {
  id: string;
  review: string;
  /** Current or last name of the skill. */
  skill: string;
  /** The category of the submitted files. */
  category: string | undefined;
  /** Display name. */
  from: string;
  text: string;
  createdAt: string;
}

/** Comments on reviews, for the authors of the review and those who have commented, until they have read them. */
export interface CommentInbox {
  /** Newest first. Older ones than 90 days do not count. */
  listUnread(user: string): Promise<UnreadComment[]>;
  /** Ignores comments that are not in the list. */
  markRead(user: string, ids: readonly string[]): Promise<void>;
}

const maxAgeMs = 90 * 86_400_000;

export function createCommentInbox(database: Database): CommentInbox {
  const listUnread = async (user: string): Promise<UnreadComment[]> => {
    const rows = await database
      .selectFrom('skill_review_comments as comment')
      .innerJoin('skill_reviews as review', 'review.id', 'comment.review')
      .innerJoin('skills', 'skills.id', 'review.skill')
      .select([
        ...(['comment.id', 'comment.review', 'comment.text', 'comment.created_at'] as const),
        ...(['comment.author_name', 'review.author_id', 'review.authors'] as const),
        ...(['review.category', 'skills.name'] as const),
      ])
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('skill_review_comments as own')
            .select('own.id')
            .whereRef('own.review', '=', 'comment.review')
            .where('own.author_id', '=', user),
        ).as('has_commented'),
      )
      .where('comment.created_at', '>', new Date(Date.now() - maxAgeMs).toISOString())
      .where('comment.author_id', '<>', user)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('skill_comment_reads as read')
              .select('read.comment')
              .whereRef('read.comment', '=', 'comment.id')
              .where('read.user_id', '=', user),
          ),
        ),
      )
      .where(({ eb, or, exists, selectFrom }) =>
        or([
          eb('review.author_id', '=', user),
          // Characters with a meaning in patterns find too much, which is left out below.
          eb('review.authors', 'like', `%${JSON.stringify(user)}%`),
          exists(
            selectFrom('skill_review_comments as own')
              .select('own.id')
              .whereRef('own.review', '=', 'comment.review')
              .where('own.author_id', '=', user),
          ),
        ]),
      )
      .orderBy('comment.created_at', 'desc')
      .orderBy('comment.id')
      .limit(maxUnreadComments)
      .execute();
    return rows
      .filter(
        ({ author_id, authors, has_commented }) =>
          author_id === user ||
          Boolean(has_commented) ||
          parseAuthors(authors)?.some(({ id }) => id === user),
      )
      .map(({ id, review, name, category, author_name, text, created_at }) => ({
        ...{ id, review, skill: name, category: readCategory(category) },
        ...{ from: author_name, text, createdAt: created_at },
      }));
  };
  return {
    listUnread,
    markRead: async (user, ids) => {
      const unread = new Set((await listUnread(user)).map(({ id }) => id));
      const read = [...new Set(ids)].filter((id) => unread.has(id));
      if (read.length > 0) {
        await database
          .insertInto('skill_comment_reads')
          .values(read.map((comment) => ({ user_id: user, comment })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    },
  };
}
