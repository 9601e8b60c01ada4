import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import { maxReviewComments } from '@knowhow/shared/skills/skill-reviews';
import { acquireTransactionLock } from '../../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { QueueNotice } from '../mail/mail-queue.ts';
import type { Authors } from './authors.ts';

export interface StoredComment {
  id: string;
  author: Authors[number];
  text: string;
  /** ISO 8601, UTC. */
  created: string;
}

/** The talk of reviewers and authors about a review, before and after its decision. */
export interface ReviewComments {
  /** Oldest first. */
  list(review: string): Promise<StoredComment[]>;
  /** The id of the review that has this comment. */
  findReview(id: string): Promise<string | undefined>;
  /** Throws `not-found` for a review that was deleted meanwhile, and `conflict` if there are too many comments. */
  add(review: string, comment: { by: Authors[number]; text: string }): Promise<void>;
  /** Deletes a comment of this author. Throws `not-found`. */
  remove(review: string, id: string, author: string): Promise<void>;
}

/** @param queue tells people by e-mail */
export function createReviewComments(database: Database, queue: QueueNotice): ReviewComments {
  return {
    list: async (review) => {
      const rows = await database
        .selectFrom('skill_review_comments')
        .selectAll()
        .where('review', '=', review)
        .orderBy('created_at')
        .orderBy('id')
        .limit(maxReviewComments)
        .execute();
      return rows.map(({ id, author_id, author_name, text, created_at }) => ({
        id,
        author: { id: author_id, name: author_name },
        text,
        created: created_at,
      }));
    },
    findReview: async (id) => {
      const row = await database
        .selectFrom('skill_review_comments')
        .select('review')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.review;
    },
    add: (review, comment) => addComment(database, review, comment, queue),
    remove: async (review, id, author) => {
      const { numDeletedRows } = await database
        .deleteFrom('skill_review_comments')
        .where('review', '=', review)
        .where('id', '=', id)
        .where('author_id', '=', author)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) {
        throw problem('not-found', 'You have no such comment here. Load the review again.');
      }
    },
  };
}

async function addComment(
  database: Database,
  review: string,
  { by, text }: { by: Authors[number]; text: string },
  queue: QueueNotice,
): Promise<void> {
  const id = randomUUID();
  await database.transaction().execute(async (write) => {
    await acquireTransactionLock(write, `review ${review}`);
    const found = await write
      .selectFrom('skill_reviews')
      .select('id')
      .where('id', '=', review)
      .executeTakeFirst();
    if (!found) {
      throw problem('not-found', `There is no review "${review}".`);
    }
    const known = await write
      .selectFrom('skill_review_comments')
      .select(({ fn }) => fn.countAll<number>().as('comments'))
      .where('review', '=', review)
      .executeTakeFirst();
    if (Number(known?.comments ?? 0) >= maxReviewComments) {
      throw problem('conflict', `This review has ${maxReviewComments} comments, the maximum.`);
    }
    await write
      .insertInto('skill_review_comments')
      .values({
        id,
        review,
        author_id: by.id,
        author_name: by.name,
        text,
        created_at: new Date().toISOString(),
      })
      .execute();
    await queue(write, { kind: 'commented', ref: id, by: by.id });
  });
}
