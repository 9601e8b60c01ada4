import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import type { SkillReview } from '@knowhow/shared/skills/skill-reviews';
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { parseCursor } from '../../../platform/lib/cursors.ts';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { QueueNotice } from '../mail/mail-queue.ts';
import { readCategory } from '../versions/category-of.ts';
import { lockContents, releaseUnused, withContents } from '../versions/stored-contents.ts';
import { type Authors, addAuthor, isOfFolder, parseAuthors } from './authors.ts';
import { dropDraftTests } from './draft-tests.ts';
import { listReturned, type ReturnedReview } from './returned-reviews.ts';
import { createReviewComments, type ReviewComments } from './review-comments.ts';
import { findDraft, noDraft, type StoredSnapshot, toSnapshot } from './skill-drafts.ts';

/** Submitted drafts: immutable snapshots, at most one open for each skill. */
export interface SkillReviews {
  /**
   * Submits the draft of a skill. Throws `changed-meanwhile` if its etag is another, and `conflict` if a
   * review is open.
   */
  submit(
    skill: string,
    submission: { by: Authors[number]; message: string; etag: string },
  ): Promise<StoredReview>;
  /** @param choose the reviews that are listed and counted */
  list(
    page: ReviewPage,
    choose: ChooseReviews,
  ): Promise<{ items: StoredReview[]; total: number; nextCursor?: string }>;
  find(id: string): Promise<StoredReview | undefined>;
  /** Throws `not-found`. */
  get(id: string): Promise<StoredReview>;
  /** The open review of a skill. */
  findOpen(skill: string): Promise<StoredReview | undefined>;
  listReturned(wanted: { skill: string } | { author: string }): Promise<ReturnedReview[]>;
  /** Closes an open review without publishing. Throws `not-found`, and `conflict` if it is closed. */
  close(id: string, state: 'returned' | 'withdrawn', decision: Decision): Promise<StoredReview>;
  /**
   * Closes an open review in the transaction that adds its version. Throws `conflict` if it is closed. Its
   * draft is deleted or, if it was changed since, based on the version.
   */
  approve(
    write: Kysely<Schema>,
    review: StoredReview,
    decision: Decision & { version: number },
  ): Promise<void>;
  comments: ReviewComments;
}

export interface StoredReview extends StoredSnapshot {
  id: string;
  state: SkillReview['state'];
  message: string;
  author: Authors[number];
  decided: SkillReview['decided'];
  /** Number of comments. */
  comments: number;
}

/** Chooses reviews by skill and submitted category. */
type ChooseReviews = <Head extends Pick<StoredReview, 'skill' | 'category'>>(
  heads: Head[],
) => Promise<readonly Head[]>;

interface ReviewPage {
  state: 'open' | 'closed';
  limit: number;
  /** The number of reviews before the page. */
  cursor?: string | undefined;
}

interface Decision {
  by: Authors[number];
  comment: string | undefined;
}

type Row = Schema['skill_reviews'] & { name: string; comments: number | string | null };

/**
 * @param keep how many closed reviews of each skill are kept
 * @param queue tells people by e-mail
 */
export function createSkillReviews(
  cluster: Cluster,
  database: Database,
  keep: () => number,
  queue: QueueNotice,
): SkillReviews {
  const find = async (id: string) => {
    const row = await rows(database).where('review.id', '=', id).executeTakeFirst();
    return row && toReview(row);
  };
  const get = async (id: string) => {
    const review = await find(id);
    if (!review) {
      throw noReview(id);
    }
    return review;
  };
  return {
    comments: createReviewComments(database, queue),
    submit: async (skill, submission) => get(await submit(database, skill, submission, queue)),
    list: (page, choose) => listReviews(database, page, choose),
    find,
    get,
    findOpen: async (skill) => {
      const row = await rows(database)
        .where('skills.name', '=', skill)
        .where('review.state', '=', 'open')
        .executeTakeFirst();
      return row && toReview(row);
    },
    listReturned: (wanted) => listReturned(database, wanted),
    close: async (id, state, decision) => {
      const { skill } = await get(id);
      await withContents(cluster, () =>
        database.transaction().execute(async (write) => {
          await lockContents(write, skill);
          await decide(write, id, { ...decision, state, version: null });
          await queue(write, { kind: 'decided', ref: id, by: decision.by.id });
          await dropDraftTests(write, skill);
          await prune(write, skill, keep());
        }),
      );
      return get(id);
    },
    approve: async (write, review, { version, ...decision }) => {
      await decide(write, review.id, { ...decision, state: 'approved', version });
      await queue(write, { kind: 'decided', ref: review.id, by: decision.by.id });
      const draft = await findDraft(write, review.skill);
      if (draft?.checksum === review.checksum) {
        await write.deleteFrom('skill_drafts').where('skill', '=', draft.skill).execute();
      } else if (draft) {
        await write
          .updateTable('skill_drafts')
          .set({ base: version })
          .where('skill', '=', draft.skill)
          .execute();
      }
      await dropDraftTests(write, review.skill);
      await prune(write, review.skill, keep());
    },
  };
}

async function submit(
  database: Database,
  skill: string,
  { by, message, etag }: { by: Authors[number]; message: string; etag: string },
  queue: QueueNotice,
): Promise<string> {
  const id = randomUUID();
  await database.transaction().execute(async (write) => {
    await lockContents(write, skill);
    const draft = await findDraft(write, skill);
    if (!draft) {
      throw noDraft(skill);
    }
    const { etag: current, updated_at: _, updated_by: __, ...snapshot } = draft;
    if (current !== etag) {
      throw problem(
        'changed-meanwhile',
        'Someone has changed this draft meanwhile. Load it again.',
      );
    }
    const open = await rows(write)
      .where('review.skill', '=', draft.skill)
      .where('review.state', '=', 'open')
      .executeTakeFirst();
    if (open) {
      throw problem(
        'conflict',
        `${open.author_name} has submitted skill "${skill}" already. Withdraw that review first, then submit again.`,
      );
    }
    const author = { author_id: by.id, author_name: by.name };
    // Someone has to answer for what was found in the file system.
    const authors = isOfFolder(parseAuthors(draft.authors) ?? [])
      ? addAuthor(draft.authors, by)
      : draft.authors;
    const now = new Date().toISOString();
    await write
      .insertInto('skill_reviews')
      .values({ ...snapshot, ...author, authors, id, state: 'open', message, created_at: now })
      .execute();
    await queue(write, { kind: 'submitted', ref: id, by: by.id });
  });
  return id;
}

/** The problem for a review that does not exist, or not for the caller. */
export function noReview(id: string) {
  return problem('not-found', `There is no review "${id}".`);
}

/** Reads manifests, which may have hundreds of files, for the page only. */
async function listReviews(
  database: Database,
  { state, limit, cursor }: ReviewPage,
  choose: ChooseReviews,
): ReturnType<SkillReviews['list']> {
  const start = parseCursor(cursor) ?? 0;
  const isOpen = state === 'open';
  const time = isOpen ? 'review.created_at' : 'review.decided_at';
  const order = isOpen ? 'asc' : 'desc';
  const all = database
    .selectFrom('skill_reviews as review')
    .where('review.state', isOpen ? '=' : '<>', 'open');
  const chosen = await choose(await readHeads(all));
  const shown = all.where(groupKey, 'in', inList(chosen.map(({ group }) => group)));
  const count = await shown
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirst();
  const page = shown
    .select('review.id')
    .orderBy(time, order)
    .orderBy('review.id')
    .limit(limit)
    .offset(start);
  const found = await rows(database)
    .where('review.id', 'in', page)
    .orderBy(time, order)
    .orderBy('review.id')
    .execute();
  const total = Number(count?.total ?? 0);
  const end = start + found.length;
  return {
    items: found.map(toReview),
    total,
    ...(found.length > 0 && end < total ? { nextCursor: String(end) } : {}),
  };
}

/** Identifies the reviews of a skill that submitted the same category. */
const groupKey = sql<string>`review.skill || ' ' || coalesce(review.category, '')`;

type Reviews = Schema & { review: Schema['skill_reviews'] };

async function readHeads(
  reviews: SelectQueryBuilder<Reviews, 'review', object>,
): Promise<(Pick<StoredReview, 'skill' | 'category'> & { group: string })[]> {
  const groups = await reviews
    .innerJoin('skills', 'skills.id', 'review.skill')
    .select(['skills.name as skill', 'review.category', groupKey.as('group')])
    .distinct()
    .execute();
  return groups.map((head) => ({ ...head, category: readCategory(head.category) }));
}

function rows(database: Kysely<Schema>) {
  return database
    .selectFrom('skill_reviews as review')
    .innerJoin('skills', 'skills.id', 'review.skill')
    .selectAll('review')
    .select(['skills.name', countComments]);
}

function countComments(eb: ExpressionBuilder<Reviews, 'review'>) {
  return eb
    .selectFrom('skill_review_comments')
    .select(({ fn }) => fn.countAll<number>().as('comments'))
    .whereRef('skill_review_comments.review', '=', 'review.id')
    .as('comments');
}

/** Closes an open review. The condition makes sure that only one decision counts. */
async function decide(
  write: Kysely<Schema>,
  id: string,
  {
    by,
    comment,
    state,
    version,
  }: Decision & { state: SkillReview['state']; version: number | null },
): Promise<void> {
  const { numUpdatedRows } = await write
    .updateTable('skill_reviews')
    .set({
      state,
      comment: comment === '' ? null : (comment ?? null),
      decided_at: new Date().toISOString(),
      decided_by: by.name,
      version,
    })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) {
    throw closedReview();
  }
}

/** The problem for a decision about a closed review. */
export function closedReview() {
  return problem('conflict', 'This review is closed already. Load it again to see the decision.');
}

/** Deletes the oldest closed reviews above the limit. */
async function prune(write: Kysely<Schema>, name: string, keep: number): Promise<void> {
  const old = await rows(write)
    .where('skills.name', '=', name)
    .where('review.state', '<>', 'open')
    .orderBy('review.decided_at', 'desc')
    .orderBy('review.id')
    .offset(keep)
    .limit(maxPruned)
    .execute();
  const [first] = old;
  if (first) {
    const ids = old.map(({ id }) => id);
    await write.deleteFrom('skill_review_comments').where('review', 'in', ids).execute();
    await write.deleteFrom('skill_reviews').where('id', 'in', ids).execute();
    await releaseUnused(write, first.skill, old);
  }
}

/** After a lower limit, a few are deleted with each decision. */
const maxPruned = 20;

function toReview(row: Row): StoredReview {
  const { decided_at: at, decided_by: by, comment, version } = row;
  return {
    ...toSnapshot(row, row.name),
    id: row.id,
    state: row.state as SkillReview['state'],
    message: row.message,
    author: { id: row.author_id, name: row.author_name },
    comments: Number(row.comments ?? 0),
    decided:
      at === null
        ? undefined
        : {
            by: by ?? '',
            at,
            ...(comment === null ? {} : { comment }),
            ...(version === null ? {} : { version }),
          },
  };
}
