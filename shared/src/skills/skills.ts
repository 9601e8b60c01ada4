import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';
import { listOf, pageQuery, searchQuery } from '../list.ts';
import { shapeOfFields } from './skill-fields.ts';
import { skillTranslationsSchema } from './skill-translations.ts';

/** A message about a skill, with the data for translating it. */
export const saidSchema = z.object({
  /** In English. */
  message: z.string(),
  /** Its key in `skillMessages`, if it is not the code. */
  text: z.string().optional(),
  /** Values for the placeholders. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type SkillMessageText = z.infer<typeof saidSchema>;

export const diagnosticSchema = saidSchema.extend({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  /** The file it is about, if it is not `SKILL.md`; `message` begins with it. */
  file: z.string().optional(),
  /** Line of `SKILL.md`, counted from 1. */
  line: z.number().int().optional(),
  /** The remedy. */
  fix: z.string().optional(),
  /** The key of `fix` in `skillFixes`, if it is not the code. */
  fixText: z.string().optional(),
});
export type Diagnostic = z.infer<typeof diagnosticSchema>;

/** A skill as a user sees it. `name` is its id, which is typed after `/`. */
export const skillSummarySchema = z.object({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  /** For people; models get `description`. Omitted if there are none. */
  translations: skillTranslationsSchema.optional(),
  ...shapeOfFields('member', 'list'),
  /** May be picked with `/`. */
  userInvocable: z.boolean(),
  /** Belongs to this user, or to another one who shares it. */
  isPersonal: z.literal(true).optional(),
  /** It still works, but is no longer recommended. */
  deprecated: z
    .object({
      note: z.string().optional(),
      /** The skill to use instead, if this user sees it. */
      successor: z
        .object({
          name: z.string(),
          displayName: z.string(),
          translations: skillTranslationsSchema.optional(),
        })
        .optional(),
    })
    .optional(),
  /** The name of the user who shares it with this one. */
  sharedBy: z.string().optional(),
  /** In a search: the score, from 1 (exact name) down to just above 0. */
  score: z.number().optional(),
});
export type SkillSummary = z.infer<typeof skillSummarySchema>;

export const skillFileSchema = z.object({
  path: z.string(),
  /** Size in bytes. */
  size: z.number().int(),
});
export type SkillFile = z.infer<typeof skillFileSchema>;

export const skillDetailSchema = skillSummarySchema.extend({
  ...shapeOfFields('member', 'detail'),
  metadata: z.record(z.string(), z.string()),
  /** Ids of the apps in which this user may use it, in order. */
  apps: z.array(z.string()),
  files: z.array(skillFileSchema),
});
export type SkillDetail = z.infer<typeof skillDetailSchema>;

const skillName = z.strictObject({ name: z.string().min(1).max(300) });
const inApp = z.strictObject({ app: z.string().max(100).optional() });

export const skillsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/skills',
    access: 'user',
    scope: 'skills',
    summary:
      'The skills available to this user, in one app or in all; with `query`, best match first',
    query: pageQuery.extend({ ...inApp.shape, query: searchQuery }),
    response: listOf(skillSummarySchema),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/skills/:name',
    access: 'user',
    scope: 'skills',
    summary: 'A skill: metadata and the list of its files',
    params: skillName,
    query: inApp,
    response: skillDetailSchema,
  }),
  content: endpoint({
    method: 'GET',
    path: '/api/skills/:name/content',
    access: 'user',
    scope: 'skills',
    summary: "A skill's instructions",
    params: skillName,
    query: inApp,
    response: z.object({
      name: z.string(),
      description: z.string(),
      body: z.string(),
      checksum: z.string(),
      files: z.array(skillFileSchema),
    }),
  }),
  file: fileEndpoint({
    method: 'GET',
    path: '/api/skills/:name/files/*path',
    isDownload: false,
    access: 'user',
    scope: 'skills',
    summary: "A file of a skill's folder",
    params: skillName.extend({ path: z.string().min(1).max(1024) }),
    query: inApp,
  }),
};
