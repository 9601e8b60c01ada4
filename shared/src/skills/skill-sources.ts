import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint, uploadEndpoint } from '../endpoint.ts';
import { adminDiagnosticSchema } from './admin-skill.ts';
import { fileChangeSchema } from './file-changes.ts';
import { gitCommitSchema } from './git-commit.ts';
import { overrideRequest, publicationChecks } from './publication-checks.ts';
import { signerLine } from './signer.ts';

/** How often the server looks for a new commit. */
export const sourceSchedules = ['never', 'hourly', 'daily', 'weekly'] as const;

const pattern = z.string().trim().min(1).max(200);
const patterns = z.array(pattern).max(100);

/** The name of a variable of the environment. The prefix keeps other secrets out of reach. */
export const sourceVariable = z
  .string()
  .regex(
    /^SKILL_SOURCE_[A-Z0-9_]{1,80}$/,
    'The variable begins with SKILL_SOURCE_, and has capital letters, digits and underscores.',
  );

const signers = z.array(signerLine).min(1).max(50);

/** A git repository from which skills come. */
export const skillSourceSchema = z.looseObject({
  id: itemIdSchema,
  /** Address of the repository. */
  url: z.string().trim().min(1).max(2000),
  /** A branch, tag or commit; default: the default branch. */
  ref: z.string().trim().min(1).max(200).optional(),
  /** Folders of the repository; default: all. */
  paths: patterns.optional(),
  /** Only skills whose folder matches one of these; `*` matches any characters. */
  include: patterns.optional(),
  /** No skills whose folder matches one of these. */
  exclude: patterns.optional(),
  /** The variable contains the host, a blank, and a token or `user:password`. */
  credentials: z.looseObject({ variable: sourceVariable }).optional(),
  /** The git server reports pushes. The variable contains the secret, at least 16 characters. */
  webhook: z.looseObject({ variable: sourceVariable }).optional(),
  /** Only commits with an SSH signature by one of these are read. */
  requireSigned: z.looseObject({ signers }).optional(),
  schedule: z.enum(sourceSchedules).default('never'),
  /** `auto`: a sync installs what it proposes, except conflicts. */
  update: z.enum(['review', 'auto']).default('review'),
});
export type SkillSourceConfig = z.infer<typeof skillSourceSchema>;

/** `config/skill-sources.json`. */
export const skillSourcesFileSchema = z.looseObject({
  sources: z
    .array(skillSourceSchema)
    .max(100)
    .refine(
      (all) => new Set(all.map(({ id }) => id)).size === all.length,
      'Two sources have the same id.',
    )
    .default([]),
});

/** The result of the last sync. */
export const sourceStateSchema = z.object({
  /** The commit that was seen last. */
  commit: z.string().optional(),
  /** ISO 8601, UTC; also of a sync that failed. */
  syncedAt: z.string().optional(),
  /** Why the last sync failed. */
  error: z.string().optional(),
  /** This sync has read the commit in `skill-sources-lock.json`: there may be newer ones. */
  isLocked: z.boolean().optional(),
  /** Number of proposed changes. */
  pending: z.number().int(),
  /** Number of those that change skills that were edited here. */
  edited: z.number().int(),
  /** Changes need a review, whatever their category: an automatic sync proposes them, and installs nothing. */
  needsReview: z.boolean(),
  /** Whether the secret of its webhook is set on the server. */
  webhook: z.enum(['ready', 'no-secret']).optional(),
  /** Number of skills that were taken from the source. */
  skills: z.number().int(),
});
export type SourceState = z.infer<typeof sourceStateSchema>;

export const skillSourceItemSchema = z.object({
  source: skillSourceSchema,
  /** Identifies this state of the source, for `If-Match`. */
  checksum: z.string(),
  state: sourceStateSchema,
});
export type SkillSourceItem = z.infer<typeof skillSourceItemSchema>;

/** A file that differs between a source, what was taken from it, and the skill here. */
const mergedFileSchema = z.object({
  path: z.string(),
  /**
   * `theirs`, `ours`: only the source or only this server changed it. `same`: both alike. `merged`: both changed
   * different lines. `conflict`: both changed it, and a person chooses a side.
   */
  state: z.enum(['theirs', 'ours', 'same', 'merged', 'conflict']),
  /** The change in the source. */
  theirs: fileChangeSchema.optional(),
  /** The change here. */
  ours: fileChangeSchema.optional(),
});
export type MergedFile = z.infer<typeof mergedFileSchema>;

/** A skill that was changed in its source and edited here, compared with what was taken. */
const sourceMergeSchema = z.object({
  /** Number of files that neither side changed. */
  unchanged: z.number().int(),
  /** The other files, by path. */
  files: z.array(mergedFileSchema),
});
export type SourceMerge = z.infer<typeof sourceMergeSchema>;

/** The same, without its files. */
const mergeSummarySchema = z.object({
  /** Identifies both sides, for `resolve`. */
  checksum: z.string(),
  /** Whether the files that were taken are known. Without them, each difference is a conflict. */
  hasBase: z.boolean(),
  /** Number of files that either side changed. */
  files: z.number().int(),
  /** Number of those with a conflict. */
  conflicts: z.number().int(),
});
export type MergeSummary = z.infer<typeof mergeSummarySchema>;

const changeKey = z.string().max(1400);

/** How a person takes a change of a skill that was edited here, if not by replacing the edits. */
const resolutionSchema = z.strictObject({
  /** The key of the change. */
  key: changeKey,
  /** The checksum of its merge: both sides as the person has seen them. */
  checksum: z.string().max(100),
  /** `ours` keeps the files here. `merge` takes the changes of both sides. */
  use: z.enum(['ours', 'merge']),
  /** The side for each file with a conflict. */
  files: z
    .array(z.strictObject({ path: z.string().max(1024), use: z.enum(['ours', 'theirs']) }))
    .max(10_000)
    .optional(),
});
export type Resolution = z.infer<typeof resolutionSchema>;

/** How a skill differs between a source and what was taken from it. Endpoint `files` has the differences of its files. */
export const proposedChangeSchema = z.object({
  /** Identifies the change, with both sides as they are. */
  key: z.string(),
  kind: z.enum(['added', 'changed', 'removed', 'renamed']),
  /** The name of the skill, after the change. */
  name: z.string(),
  /** Its folder in the repository. */
  path: z.string(),
  /** Its description after the change, up to 1,024 characters; for a removed skill, that of the skill here. */
  description: z.string(),
  /** The former name of a renamed skill, if it differs. */
  nameBefore: z.string().optional(),
  /** The former folder of a renamed skill. */
  pathBefore: z.string().optional(),
  /** Why it needs a decision: the skill was edited here, or another skill has its name. */
  conflict: z.enum(['edited', 'name-taken']).optional(),
  /** It can be taken. */
  accepted: z.boolean(),
  /** Required checks that stop it, unless a publisher overrides them with a reason. */
  failedChecks: z.array(z.enum(publicationChecks)),
  /** Why it cannot be taken; empty if it can. */
  diagnostics: z.array(adminDiagnosticSchema),
  /** Number of files of a skill that is not installed here. */
  newFiles: z.number().int().optional(),
  /** Number of files that differ from those that are installed. */
  changedFiles: z.number().int().optional(),
  /** For a skill that was edited here; instead of `changedFiles`. */
  merge: mergeSummarySchema.optional(),
});
export type ProposedChange = z.infer<typeof proposedChangeSchema>;

/** Differences of the files of a proposed change. */
export const proposedFilesSchema = z.object({
  /** All diagnostics of the skill. */
  diagnostics: z.array(adminDiagnosticSchema),
  /** Differences of the files from those that are installed, `SKILL.md` first; none if there is a merge. */
  changes: z.array(fileChangeSchema),
  /** For a skill that was edited here. */
  merge: sourceMergeSchema.optional(),
});
export type ProposedFiles = z.infer<typeof proposedFilesSchema>;

export const sourceProposalSchema = z.object({
  commit: gitCommitSchema.optional(),
  changes: z.array(proposedChangeSchema),
});
export type SourceProposal = z.infer<typeof sourceProposalSchema>;

const admin = (text: string) => ({ access: 'admin' as const, summary: text });
const id = z.strictObject({ id: itemIdSchema });
const at = '/api/admin/skill-sources';
const variable = z.strictObject({ variable: sourceVariable });
const requireSigned = z.strictObject({ signers });
const written = z.strictObject({
  ...skillSourceSchema.shape,
  credentials: variable.optional(),
  webhook: variable.optional(),
  requireSigned: requireSigned.optional(),
});

export const skillSourcesApi = {
  list: endpoint({
    ...admin('Git repositories from which skills come, and what the last sync found'),
    method: 'GET',
    path: at,
    response: z.object({ items: z.array(skillSourceItemSchema) }),
  }),
  create: endpoint({
    ...admin('Adds a source'),
    method: 'POST',
    path: at,
    body: written,
    response: skillSourceItemSchema,
  }),
  get: endpoint({
    ...admin('A source'),
    method: 'GET',
    path: `${at}/:id`,
    params: id,
    response: skillSourceItemSchema,
  }),
  update: endpoint({
    ...admin(
      'Changes fields of a source; null removes one. With If-Match, only if it has not changed',
    ),
    method: 'PATCH',
    path: `${at}/:id`,
    params: id,
    body: z.strictObject({
      url: skillSourceSchema.shape.url.optional(),
      ref: skillSourceSchema.shape.ref.nullable(),
      paths: skillSourceSchema.shape.paths.nullable(),
      include: skillSourceSchema.shape.include.nullable(),
      exclude: skillSourceSchema.shape.exclude.nullable(),
      credentials: variable.nullish(),
      webhook: variable.nullish(),
      requireSigned: requireSigned.nullish(),
      schedule: z.enum(sourceSchedules).optional(),
      update: z.enum(['review', 'auto']).optional(),
    }),
    response: skillSourceItemSchema,
  }),
  remove: endpoint({
    ...admin('Removes a source. Its skills stay'),
    method: 'DELETE',
    path: `${at}/:id`,
    params: id,
    response: z.void(),
  }),
  sync: endpoint({
    ...admin('Reads the newest commit, and proposes changes or installs them'),
    method: 'POST',
    path: `${at}/:id/sync`,
    params: id,
    response: skillSourceItemSchema,
  }),
  proposal: endpoint({
    ...admin('The changes that the last sync found'),
    method: 'GET',
    path: `${at}/:id/proposal`,
    params: id,
    response: sourceProposalSchema,
  }),
  files: endpoint({
    ...admin('The differences of a proposed change; conflict if it has changed'),
    method: 'GET',
    path: `${at}/:id/proposal/files`,
    params: id,
    query: z.strictObject({ key: changeKey }),
    response: proposedFilesSchema,
  }),
  apply: endpoint({
    ...admin('Takes some of the proposed changes. A skill that was removed is switched off'),
    method: 'POST',
    path: `${at}/:id/proposal/apply`,
    params: id,
    body: z.strictObject({
      take: z.array(changeKey).min(1).max(50_000),
      /** For skills that were edited here; by default, the files of the source replace the edits. */
      resolve: z.array(resolutionSchema).max(8000).optional(),
      /** Saves new and changed skills as drafts, and installs nothing. Not with removed skills. */
      asDrafts: z.boolean().optional(),
      override: overrideRequest,
    }),
    response: z.object({
      installed: z.array(z.string()),
      switchedOff: z.array(z.string()),
      /** Skills whose files here were kept. */
      kept: z.array(z.string()),
      /** Skills that were saved as drafts. */
      drafted: z.array(z.string()),
    }),
  }),
};

/** For git servers, which sign their requests with the secret of the source. */
export const skillSourceHooksApi = {
  receive: uploadEndpoint({
    access: 'public',
    summary: 'Webhook of a source: syncs it in the background after a push',
    method: 'POST',
    path: '/api/hooks/skill-sources/:id',
    params: id,
    maxBytes: 1024 * 1024,
    response: z.object({ status: z.literal('accepted') }),
  }),
};
