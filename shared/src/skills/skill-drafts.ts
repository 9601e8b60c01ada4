import { z } from 'zod';
import { turnErrorSchema } from '../chat/chat.ts';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint, fileEndpoint, streamEndpoint, uploadEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { withoutNul } from '../names.ts';
import { adminSkillFileSchema } from './admin-skill.ts';
import { maxSkillFile } from './admin-skill-files.ts';
import { versionChangeSchema } from './file-changes.ts';
import { checkResultsSchema } from './publication-checks.ts';
import { policySchema } from './publishing-policy.ts';
import { skillReviewSchema } from './skill-reviews.ts';
import { versionWords } from './version-message.ts';

/** The one open change of a skill, based on a version. */
export const skillDraftSchema = z.object({
  /** The name of the skill, which may not exist yet. */
  skill: z.string(),
  /** For `If-Match`; changes with each save. */
  etag: z.string(),
  /** The version that it changes; omitted if the skill had none. */
  base: z.number().int().optional(),
  /** The published version; omitted if the skill does not exist. */
  published: z.number().int().optional(),
  /** Whether a newer version than its base was published: rebase it before you submit it. */
  isOutdated: z.boolean(),
  /** Display names of everyone who changed it, first the one who began it. */
  authors: z.array(z.string()),
  /** Display name of the last author. */
  updatedBy: z.string(),
  /** ISO 8601, UTC. */
  updated: z.string(),
  files: z.array(adminSkillFileSchema),
  /** The category in its `SKILL.md`. Rights on skills of a category depend on it. */
  category: z.string().optional(),
  /** The policy of its publication. */
  policy: policySchema,
  /** Omitted if its files are not completely stored. */
  checks: checkResultsSchema.optional(),
  /** Its open review. */
  review: skillReviewSchema
    .pick({ id: true, author: true, created: true })
    .extend({
      /** Whether the draft was changed after it was submitted: approval publishes what was submitted. */
      isChanged: z.boolean(),
    })
    .optional(),
  /** Its last review, if that was returned and the draft has not been submitted since. */
  returned: z
    .object({
      id: z.string(),
      /** Display name of the reviewer. */
      by: z.string(),
      /** ISO 8601, UTC. */
      at: z.string(),
      comment: z.string(),
    })
    .optional(),
});
export type SkillDraft = z.infer<typeof skillDraftSchema>;

const content = {
  content: z.string(),
  encoding: z.literal('base64').optional(),
};

/** The portable JSON of a skill, as in exports. */
const portableSkillSchema = z.looseObject({
  formatVersion: z.literal(2),
  skill: z.looseObject({
    slug: z.string(),
    /** Its `SKILL.md`. */
    content: z.string(),
    contentEncoding: z.literal('base64').optional(),
    files: z.array(z.looseObject({ path: z.string(), ...content })),
  }),
});

/** The draft of a skill that does not exist yet. */
const newDraftSchema = z.object({
  skill: z.string(),
  /** Display names. */
  authors: z.array(z.string()),
  /** ISO 8601, UTC. */
  updated: z.string(),
  isInReview: z.boolean(),
});

export const replaySides = ['published', 'draft'] as const;
export type ReplaySide = (typeof replaySides)[number];
/** Maximum length of a replayed message, in characters: that of the question in a suggestion. */
export const maxReplayedMessage = 20_000;

const side = z.enum(replaySides);
/** Each side ends with `end` or `error`; a skill without a published version has only the side `draft`. */
export const replayEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), sides: z.array(side) }),
  z.object({ type: z.literal('text'), side, text: z.string() }),
  /** The last characters of the text so far were thinking. */
  z.object({ type: z.literal('retract'), side, characters: z.number().int() }),
  z.object({
    type: z.literal('end'),
    side,
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    ms: z.number().int(),
  }),
  z.object({ type: z.literal('error'), side, ...turnErrorSchema.shape }),
]);
export type ReplayEvent = z.infer<typeof replayEventSchema>;

const skill = z.strictObject({ skill: z.string().min(1).max(300) });
const file = skill.extend({ path: z.string().min(1).max(1024) });
const access = 'admin' as const;
/** For administrators, and for their keys with the scope `authoring`. */
const forAuthors = { access, scope: 'authoring' } as const;

/** Drafts are saved with `If-Match`: the etag of the draft or, to begin one, the checksum of the skill. */
export const skillDraftsApi = {
  list: endpoint({
    access,
    summary: 'Drafts of skills that do not exist yet, which no list of skills contains',
    method: 'GET',
    path: '/api/skill-drafts',
    query: pageQuery,
    response: listOf(newDraftSchema),
  }),
  get: endpoint({
    ...forAuthors,
    summary: 'The open draft of a skill, and its files as portable JSON',
    method: 'GET',
    path: '/api/skill-drafts/:skill',
    params: skill,
    query: z.strictObject({
      /** Exactly `false`: without `document`. */
      contents: z.string().max(10).optional(),
    }),
    response: skillDraftSchema.extend({ document: portableSkillSchema.optional() }),
  }),
  put: uploadEndpoint({
    ...forAuthors,
    summary:
      'Saves a draft from portable JSON or an archive; begins one of an existing or new skill. To overwrite a draft, send its etag as `If-Match`',
    method: 'PUT',
    path: '/api/skill-drafts/:skill',
    maxBytes: 32 * 1024 * 1024,
    params: skill,
    response: skillDraftSchema,
  }),
  remove: endpoint({
    access,
    summary: 'Discards a draft',
    method: 'DELETE',
    path: '/api/skill-drafts/:skill',
    params: skill,
    response: z.object({ skill: z.string() }),
  }),
  diff: endpoint({
    access,
    summary: 'The files of a draft that differ from the published version',
    method: 'GET',
    path: '/api/skill-drafts/:skill/diff',
    params: skill,
    response: z.object({
      /** The version that it is compared with; omitted if the skill does not exist. */
      from: z.number().int().optional(),
      changes: z.array(versionChangeSchema),
    }),
  }),
  file: fileEndpoint({
    access,
    summary: 'A file of a draft',
    method: 'GET',
    path: '/api/skill-drafts/:skill/files/*path',
    isDownload: true,
    params: file,
  }),
  writeFile: uploadEndpoint({
    access,
    summary: 'Writes a file of a draft, from the raw body; begins a draft of an existing skill',
    method: 'PUT',
    path: '/api/skill-drafts/:skill/files/*path',
    maxBytes: maxSkillFile,
    params: file,
    response: skillDraftSchema,
  }),
  removeFile: endpoint({
    access,
    summary: 'Deletes a file of a draft; begins a draft of an existing skill',
    method: 'DELETE',
    path: '/api/skill-drafts/:skill/files/*path',
    params: file,
    response: skillDraftSchema,
  }),
  moveFile: endpoint({
    access,
    summary: 'Renames a file of a draft; begins a draft of an existing skill',
    method: 'POST',
    path: '/api/skill-drafts/:skill/move',
    params: skill,
    body: z.strictObject({ from: z.string().min(1).max(1024), to: z.string().min(1).max(1024) }),
    response: skillDraftSchema,
  }),
  rebase: endpoint({
    access,
    summary: 'Bases a draft on the published version, and merges the files that changed there',
    method: 'POST',
    path: '/api/skill-drafts/:skill/rebase',
    params: skill,
    body: z.strictObject({
      /** Which side wins if a file was changed in both; without it, such files are a conflict. */
      prefer: z.enum(['draft', 'published']).optional(),
    }),
    response: skillDraftSchema,
  }),
  replay: streamEndpoint({
    access,
    summary:
      'Answers a message with the published version and with the draft: no other skills, no tools, nothing stored',
    method: 'POST',
    path: '/api/skill-drafts/:skill/replay',
    params: skill,
    body: z.strictObject({
      message: z
        .string()
        .max(maxReplayedMessage)
        .refine((text) => withoutNul(text).trim() !== '', 'Write a message.'),
      model: itemIdSchema,
    }),
    event: replayEventSchema,
  }),
  submit: endpoint({
    ...forAuthors,
    summary: 'Submits a draft for review: its files as they are now',
    method: 'POST',
    path: '/api/skill-drafts/:skill/submit',
    params: skill,
    body: z.strictObject({ message: versionWords.min(1) }),
    response: skillReviewSchema,
  }),
};
