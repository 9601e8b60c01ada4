import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { adminSkillDetailSchema } from './admin-skill.ts';
import { versionChangeSchema } from './file-changes.ts';
import { overrideRequest, overrideSchema, writeQuery } from './publication-checks.ts';
import { maxVersionNumber } from './version-number.ts';

/** The ways in which a version is made. */
export const versionOrigins = [
  'page',
  'import',
  'git',
  'plugin',
  'api',
  'file-system',
  'restore',
] as const;

/** A version of a skill: immutable content with its author. */
export const skillVersionSchema = z.object({
  /** 1, 2, 3 …; never reused. */
  number: z.number().int(),
  /**
   * SHA-256 in hex over the sorted (path, SHA-256) pairs of all files; omitted for a deletion.
   */
  digest: z.string().optional(),
  /** Checksum for `If-Match`, which includes executable bits; omitted for a deletion. */
  checksum: z.string().optional(),
  /** Display name; omitted for changes found in the file system. */
  author: z.string().optional(),
  /** Display name of the administrator who approved it in a review. */
  reviewedBy: z.string().optional(),
  /** Failed checks that its reviewer has overridden, and why. */
  override: overrideSchema.optional(),
  /** The author's words about the change; '' if there are none. */
  message: z.string(),
  /** The kind of change, such as `file-written` or `deleted`. */
  action: z.string(),
  /** For example, the path of the written file. */
  summary: z.string(),
  origin: z.object({
    kind: z.enum(versionOrigins),
    /** For example, the name of the imported file, or the number of the restored version. */
    detail: z.string().optional(),
  }),
  /** ISO 8601, UTC. */
  created: z.string(),
  /** Whether these are the skill's files now. */
  isCurrent: z.boolean(),
  files: z.number().int(),
  bytes: z.number().int(),
});
export type SkillVersion = z.infer<typeof skillVersionSchema>;

export const versionFileSchema = z.object({
  path: z.string(),
  size: z.number().int(),
  executable: z.boolean(),
  /** Set if its content is not stored: the version cannot be offered or restored. */
  isMissing: z.literal(true).optional(),
});
export type VersionFile = z.infer<typeof versionFileSchema>;

const number = z.coerce.number().int().positive().max(maxVersionNumber);
const skill = z.strictObject({ skill: z.string().min(1).max(300) });
const version = skill.extend({ number });
const summary = (text: string) => ({ access: 'admin' as const, summary: text });

export const skillVersionsApi = {
  list: endpoint({
    ...summary('Versions of a skill, also of a deleted one, newest first'),
    method: 'GET',
    path: '/api/skill-versions/:skill',
    params: skill,
    query: pageQuery,
    response: listOf(skillVersionSchema),
  }),
  get: endpoint({
    ...summary('A version of a skill with the list of its files'),
    method: 'GET',
    path: '/api/skill-versions/:skill/:number',
    params: version,
    response: z.object({ version: skillVersionSchema, files: z.array(versionFileSchema) }),
  }),
  file: fileEndpoint({
    ...summary('A file of a version of a skill'),
    method: 'GET',
    path: '/api/skill-versions/:skill/:number/files/*path',
    isDownload: false,
    params: version.extend({ path: z.string().min(1).max(1024) }),
  }),
  diff: endpoint({
    ...summary('The files that differ between two versions of a skill'),
    method: 'GET',
    path: '/api/skill-versions/:skill/:number/diff',
    params: version,
    query: z.strictObject({
      /** The earlier side; the version before, by default. */
      from: number.optional(),
    }),
    response: z.object({
      /** Omitted if there is no earlier version: all files are added. */
      from: skillVersionSchema.optional(),
      to: skillVersionSchema,
      changes: z.array(versionChangeSchema),
    }),
  }),
  restore: endpoint({
    ...summary('Restores a version as a new one, also of a deleted skill'),
    method: 'POST',
    path: '/api/skill-versions/:skill/:number/restore',
    params: version,
    query: writeQuery,
    response: adminSkillDetailSchema,
  }),
  preview: endpoint({
    ...summary(
      'Gives members of groups this version instead of the published one, in apps without a pin',
    ),
    method: 'POST',
    path: '/api/skill-versions/:skill/:number/preview',
    params: version,
    body: z.strictObject({
      /** Ids of groups; an empty list ends the preview. */
      groups: z.array(z.string().min(1).max(300)).max(1000),
      override: overrideRequest,
    }),
    response: z.object({
      /** Omitted without a preview. */
      preview: z.object({ version: z.number().int(), groups: z.array(z.string()) }).optional(),
    }),
  }),
};

/** A version in the history of a skill. */
const revisionSchema = z.object({
  number: z.number().int(),
  at: z.string(),
  /** Omitted for changes found in the file system. */
  by: z.string().optional(),
  action: z.string(),
  /** For example, the path of the written file. */
  summary: z.string(),
  /** Checksum for `If-Match`; omitted for a deletion. */
  checksum: z.string().optional(),
  files: z.number().int(),
  bytes: z.number().int(),
  /** Whether the current files are the same. */
  current: z.boolean(),
});

const skillName = z.strictObject({ name: z.string().min(1).max(300) });

/** The history of a skill for programs that manage skills. It lists the same versions as `skillVersionsApi`. */
export const skillHistoryApi = {
  history: endpoint({
    ...summary('The history of a skill, newest first'),
    method: 'GET',
    path: '/api/admin/skills/:name/history',
    params: skillName,
    query: pageQuery,
    response: listOf(revisionSchema),
  }),
  restore: endpoint({
    ...summary('Restores a version of a skill by its number in the history'),
    method: 'POST',
    path: '/api/admin/skills/:name/history/:revision/restore',
    params: skillName.extend({ revision: number }),
    query: writeQuery.pick({ override: true }),
    response: adminSkillDetailSchema,
  }),
};
