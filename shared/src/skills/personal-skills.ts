import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { searchQuery } from '../list.ts';
import { withoutHiddenCharacters } from '../names.ts';
import { editedTranslationsSchema } from './edited-translations.ts';
import { newCommentSchema, reviewCommentsSchema, skillReviewSchema } from './skill-reviews.ts';
import { skillTranslationsSchema } from './skill-translations.ts';
import { diagnosticSchema, skillFileSchema } from './skills.ts';
import { maxTriggerPrompts, triggerPromptSchema } from './trigger-tests.ts';
import { versionWords } from './version-message.ts';

/**
 * Permissions of a group's members for skills of their own, lowest first: none, to have some for themselves, also to share
 * them with users and groups, or also to propose them to the organisation.
 */
export const personalSkillLevels = ['none', 'private', 'share', 'propose'] as const;
export type PersonalSkillLevel = (typeof personalSkillLevels)[number];

/** Whether users with this permission may share their skills. */
export function mayShareSkills(level: PersonalSkillLevel): boolean {
  return level === 'share' || level === 'propose';
}

/** Maximum number of personal skills of a user. */
export const maxPersonalSkills = 50;
/** Maximum number of files of a personal skill, and their total size in bytes. */
export const maxPersonalFiles = 50;
export const maxPersonalBytes = 1024 * 1024;
/** Maximum numbers of users and of groups that a skill is shared with. */
export const maxSharedUsers = 50;
export const maxSharedGroups = 20;
/** Maximum number of skills of others that a user sees, most recently changed first. */
export const maxReceivedSkills = 200;
/** Maximum number of users and groups in a search for recipients. */
export const maxRecipientChoices = 20;

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
  /** Number of users and groups that it is shared with. */
  recipients: z.number().int(),
  /** The last proposal of this skill to the organisation. */
  proposal: skillReviewSchema
    .pick({ state: true, created: true })
    .extend({ comment: z.string().optional() })
    .optional(),
});
export type PersonalSkill = z.infer<typeof personalSkillSchema>;

export const personalSkillDetailSchema = personalSkillSchema.extend({
  instructions: z.string(),
  /** Requests that should activate it, each on one line. */
  prompts: z.array(z.string()),
  /** All files except `SKILL.md`. */
  files: z.array(skillFileSchema),
  diagnostics: z.array(diagnosticSchema),
});
export type PersonalSkillDetail = z.infer<typeof personalSkillDetailSchema>;

/** A skill that another user shares with the caller. */
export const receivedSkillSchema = z.object({
  id: z.string(),
  displayName: z.string(),
  description: z.string(),
  translations: skillTranslationsSchema.optional(),
  /** The name of its owner. */
  sharedBy: z.string(),
});
export type ReceivedSkill = z.infer<typeof receivedSkillSchema>;

/** A user or a group that a skill is shared with. */
export const skillRecipientSchema = z.object({
  kind: z.enum(['user', 'group']),
  id: z.string(),
  name: z.string(),
});
export type SkillRecipient = z.infer<typeof skillRecipientSchema>;

const recipientId = z.string().min(1).max(300);
const recipientChoices = z.object({ items: z.array(skillRecipientSchema) });
/** With the checksum for `If-Match`. */
const recipients = recipientChoices.extend({ checksum: z.string() });

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
  /** All requests that should activate it; if omitted, they stay. They are saved in files as trigger tests. */
  prompts: z
    .array(triggerPromptSchema.shape.text)
    .max(maxTriggerPrompts, `A skill has at most ${maxTriggerPrompts} prompts.`)
    .optional(),
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

/** Skills of the caller. A key with the scope `skills` reads them; only its owner's sessions change them. */
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
  received: endpoint({
    access,
    scope,
    summary: 'Skills that other users share with the caller, by name',
    method: 'GET',
    path: '/api/my/received-skills',
    response: z.object({ items: z.array(receivedSkillSchema) }),
  }),
  recipients: endpoint({
    access,
    summary: 'The users and groups that a skill is shared with, by name; groups first',
    method: 'GET',
    path: '/api/my/skills/:name/share',
    params: skill,
    response: recipients,
  }),
  share: endpoint({
    access,
    summary: 'Shares a skill with these users and groups, and with no others',
    method: 'POST',
    path: '/api/my/skills/:name/share',
    params: skill,
    body: z.strictObject({
      users: z.array(recipientId).max(maxSharedUsers),
      groups: z.array(recipientId).max(maxSharedGroups),
    }),
    response: recipients,
  }),
  recipientChoices: endpoint({
    access,
    summary: "The caller's groups, and users in one of them who may have skills; at most 20",
    method: 'GET',
    path: '/api/my/skill-recipients',
    query: z.strictObject({ query: searchQuery }),
    response: recipientChoices,
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
  comments: endpoint({
    access,
    summary: 'Comments on the last proposal of a skill, oldest first; at most 200',
    method: 'GET',
    path: '/api/my/skills/:name/comments',
    params: skill,
    response: reviewCommentsSchema,
  }),
  comment: endpoint({
    access,
    summary: 'Adds a comment to the last proposal of a skill',
    method: 'POST',
    path: '/api/my/skills/:name/comments',
    params: skill,
    body: newCommentSchema,
    response: reviewCommentsSchema,
  }),
  removeComment: endpoint({
    access,
    summary: 'Deletes a comment of the caller on the last proposal of a skill',
    method: 'DELETE',
    path: '/api/my/skills/:name/comments/:comment',
    params: skill.extend({ comment: z.uuid() }),
    response: reviewCommentsSchema,
  }),
};
