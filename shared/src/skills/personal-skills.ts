import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { withoutHiddenCharacters } from '../names.ts';
import { editedTranslationsSchema } from './edited-translations.ts';
import { skillReviewSchema } from './skill-reviews.ts';
import { skillTranslationsSchema } from './skill-translations.ts';
import { diagnosticSchema, skillFileSchema } from './skills.ts';
import { versionWords } from './version-message.ts';

/**
 * Permissions of a group's members for skills of their own: none, to have some for themselves, or also to propose them to
 * the organisation.
 */
export const personalSkillLevels = ['none', 'private', 'propose'] as const;
export type PersonalSkillLevel = (typeof personalSkillLevels)[number];

/** Maximum number of personal skills of a user. */
export const maxPersonalSkills = 50;
/** Maximum number of files of a personal skill, and their total size in bytes. */
export const maxPersonalFiles = 50;
export const maxPersonalBytes = 1024 * 1024;

export const personalSkillSchema = z.object({
  /** The name to type after `/`, such as `invoices@anna`. */
  id: z.string(),
  name: z.string(),
  description: z.string(),
  translations: skillTranslationsSchema.optional(),
  /** For `If-Match`. */
  checksum: z.string(),
  /** ISO 8601, UTC. */
  updated: z.string(),
  /** The last proposal of this skill to the organisation. */
  proposal: skillReviewSchema
    .pick({ state: true, created: true })
    .extend({ comment: z.string().optional() })
    .optional(),
});
export type PersonalSkill = z.infer<typeof personalSkillSchema>;

export const personalSkillDetailSchema = personalSkillSchema.extend({
  instructions: z.string(),
  /** All files except `SKILL.md`. */
  files: z.array(skillFileSchema),
  diagnostics: z.array(diagnosticSchema),
});
export type PersonalSkillDetail = z.infer<typeof personalSkillDetailSchema>;

const isBase64 = (text: string) => z.base64().safeParse(text).success;

const content = z.strictObject({
  description: z.string().overwrite(withoutHiddenCharacters).trim().min(1).max(10_000),
  instructions: z
    .string()
    .max(maxPersonalBytes)
    .refine(
      (text) => withoutHiddenCharacters(text).trim() !== '',
      'The instructions are empty. Write what to do.',
    ),
  /** All translations; if omitted, they stay. */
  translations: editedTranslationsSchema.optional(),
  /** All files except `SKILL.md`. If omitted, they stay. */
  files: z
    .array(
      z
        .strictObject({
          path: z.string().min(1).max(1024),
          content: z.string().max(maxPersonalBytes * 2),
          encoding: z.literal('base64').optional(),
        })
        .refine(
          ({ content, encoding }) => encoding === undefined || isBase64(content),
          'This is not base64.',
        ),
    )
    .max(maxPersonalFiles - 1)
    .optional(),
});

const skill = z.strictObject({ name: z.string().min(1).max(300) });
const access = 'user' as const;
const scope = 'skills' as const;

/** Skills of the caller alone. A key with the scope `skills` reads them; only its owner's sessions change them. */
export const mySkillsApi = {
  list: endpoint({
    access,
    scope,
    summary: "The caller's own skills, by name",
    method: 'GET',
    path: '/api/my/skills',
    response: z.object({
      items: z.array(personalSkillSchema),
      level: z.enum(personalSkillLevels),
      /** Maximum number of skills. */
      max: z.number().int(),
    }),
  }),
  create: endpoint({
    access,
    summary: 'Creates a skill of the caller',
    method: 'POST',
    path: '/api/my/skills',
    body: content.extend({ name: z.string().trim().min(1).max(300) }),
    response: personalSkillDetailSchema,
  }),
  get: endpoint({
    access,
    scope,
    summary: "One of the caller's own skills",
    method: 'GET',
    path: '/api/my/skills/:name',
    params: skill,
    response: personalSkillDetailSchema,
  }),
  put: endpoint({
    access,
    summary: "Changes one of the caller's own skills",
    method: 'PUT',
    path: '/api/my/skills/:name',
    params: skill,
    body: content,
    response: personalSkillDetailSchema,
  }),
  remove: endpoint({
    access,
    summary: "Deletes one of the caller's own skills",
    method: 'DELETE',
    path: '/api/my/skills/:name',
    params: skill,
    response: z.object({ name: z.string() }),
  }),
  propose: endpoint({
    access,
    summary: 'Proposes a skill to the organisation: submits a copy for review',
    method: 'POST',
    path: '/api/my/skills/:name/propose',
    params: skill,
    body: z.strictObject({ message: versionWords.min(1) }),
    response: personalSkillSchema,
  }),
  withdraw: endpoint({
    access,
    summary: 'Withdraws the proposal of a skill that is not decided yet',
    method: 'POST',
    path: '/api/my/skills/:name/withdraw',
    params: skill,
    response: personalSkillSchema,
  }),
};
