import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { versionChangeSchema } from './file-changes.ts';
import { checkResultsSchema, overrideRequest, overrideSchema } from './publication-checks.ts';
import { policySchema } from './publishing-policy.ts';
import { skillReportSchema } from './skill-archives.ts';
import { versionWords } from './version-message.ts';

export const reviewStates = ['open', 'approved', 'returned', 'withdrawn'] as const;

/** A submitted draft: a snapshot about which an administrator with the right to publish decides. */
export const skillReviewSchema = z.object({
  id: z.string(),
  skill: z.string(),
  state: z.enum(reviewStates),
  /** The author's words about the change. */
  message: z.string(),
  /** Display name. */
  author: z.string(),
  /** ISO 8601, UTC. */
  created: z.string(),
  /** The version that it changes; omitted for a new skill. */
  base: z.number().int().optional(),
  /** SHA-256 in hex of the submitted files, like that of a version. */
  digest: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  decided: z
    .object({
      /** Display name. */
      by: z.string(),
      at: z.string(),
      comment: z.string().optional(),
      /** The version that an approval has published. */
      version: z.number().int().optional(),
    })
    .optional(),
  /** Number of comments. */
  comments: z.number().int(),
});
export type SkillReview = z.infer<typeof skillReviewSchema>;

/** A review with what helps to decide about it. */
const reviewDetailSchema = z.object({
  review: skillReviewSchema,
  /** The published version; omitted if the skill does not exist. */
  published: z.number().int().optional(),
  /** The version that `changes` compares with; omitted if all files are new. */
  from: z.number().int().optional(),
  /** New and changed scripts and tools come first. */
  changes: z.array(versionChangeSchema),
  /** Paths of new and changed scripts and tools. */
  code: z.array(z.string()),
  /** Open, but a newer version than its base is published: it cannot be approved. */
  isOutdated: z.boolean(),
  /** Open, but the draft was changed after it was submitted: approval publishes what was submitted. */
  isDraftChanged: z.boolean(),
  /** The actions that the caller may take. */
  may: z.object({ approve: z.boolean(), return: z.boolean(), withdraw: z.boolean() }),
  /** Whether the caller may not approve because they are an author, and four eyes are required. */
  needsOther: z.boolean(),
  /** Why the skill is blocked: it is not offered, whatever is published; omitted without a block. */
  blockReason: z.string().optional(),
  /** Ids of apps that follow the published version, apps that pin another, and groups with the skill. */
  affected: z.object({
    following: z.array(z.string()),
    pinned: z.array(z.object({ app: z.string(), version: z.number().int() })),
    groups: z.array(z.string()),
    /** Answers of the last 30 days in which it was active; absent without analytics. */
    uses: z.number().int().optional(),
  }),
  /** The policy of its publication; omitted for a closed review. */
  policy: policySchema.optional(),
  /** Checks as of now; omitted for a closed review, and if the files are no longer stored. */
  checks: checkResultsSchema.optional(),
  /** For an approved review: the failed checks that were overridden, and why. */
  override: overrideSchema.optional(),
  /** Diagnostics of the submitted files; omitted if they are no longer stored. */
  report: skillReportSchema.pick({ diagnostics: true, tokens: true, description: true }).optional(),
});
export type SkillReviewDetail = z.infer<typeof reviewDetailSchema>;

/** Maximum number of comments on a review. */
export const maxReviewComments = 200;

export const reviewCommentsSchema = z.object({
  /** Oldest first. */
  items: z.array(
    z.object({
      id: z.string(),
      /** Display name. */
      author: z.string(),
      text: z.string(),
      /** ISO 8601, UTC. */
      created: z.string(),
      /** Whether the caller wrote it and may delete it. */
      isOwn: z.boolean(),
    }),
  ),
});
export type ReviewComments = z.infer<typeof reviewCommentsSchema>;
/** A new comment on a review. */
export const newCommentSchema = z.strictObject({ text: versionWords.min(1) });

const id = z.strictObject({ id: z.uuid() });
const comment = versionWords;
const optionalComment = z.strictObject({ comment: comment.optional() });
const access = 'admin' as const;
/** For administrators, and for their keys with the scope `authoring`. */
const forAuthors = { access, scope: 'authoring' } as const;

export const skillReviewsApi = {
  list: endpoint({
    access,
    summary: 'Reviews of drafts: open ones by age, closed ones newest first',
    method: 'GET',
    path: '/api/skill-reviews',
    query: pageQuery.extend({ state: z.enum(['open', 'closed']).default('open') }),
    response: listOf(skillReviewSchema),
  }),
  get: endpoint({
    access,
    summary: 'A review with its differences, diagnostics and whom it affects',
    method: 'GET',
    path: '/api/skill-reviews/:id',
    params: id,
    response: reviewDetailSchema,
  }),
  approve: endpoint({
    ...forAuthors,
    summary: 'Publishes the submitted files as a new version',
    method: 'POST',
    path: '/api/skill-reviews/:id/approve',
    params: id,
    body: optionalComment.extend({
      override: overrideRequest,
    }),
    response: skillReviewSchema,
  }),
  return: endpoint({
    access,
    summary: 'Returns a draft to its author with a comment',
    method: 'POST',
    path: '/api/skill-reviews/:id/return',
    params: id,
    body: z.strictObject({ comment: comment.min(1) }),
    response: skillReviewSchema,
  }),
  withdraw: endpoint({
    ...forAuthors,
    summary: 'Withdraws a review; its draft stays',
    method: 'POST',
    path: '/api/skill-reviews/:id/withdraw',
    params: id,
    body: optionalComment,
    response: skillReviewSchema,
  }),
  comments: endpoint({
    access,
    summary: 'Comments on a review, oldest first; at most 200',
    method: 'GET',
    path: '/api/skill-reviews/:id/comments',
    params: id,
    response: reviewCommentsSchema,
  }),
  comment: endpoint({
    access,
    summary: 'Adds a comment to a review, open or closed',
    method: 'POST',
    path: '/api/skill-reviews/:id/comments',
    params: id,
    body: newCommentSchema,
    response: reviewCommentsSchema,
  }),
  removeComment: endpoint({
    access,
    summary: 'Deletes a comment of the caller',
    method: 'DELETE',
    path: '/api/skill-reviews/:id/comments/:comment',
    params: id.extend({ comment: z.uuid() }),
    response: reviewCommentsSchema,
  }),
};
