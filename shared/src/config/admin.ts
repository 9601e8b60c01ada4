import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery, searchQuery } from '../list.ts';
import { configKinds } from './admin-config.ts';

const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });

export const auditKinds = [
  'skill',
  'app',
  'group',
  'model',
  'prompt',
  'user',
  'session',
  'connection',
  'key',
  'backup',
  'tool',
  'share',
  'settings',
  'access',
  'conversation',
] as const;

/** The target of an entry that is about several skills at once: `after.skills` names them. */
export const severalTargets = '*';

/** Who did what to which thing, when, and how it was before and after. */
export const auditEntrySchema = z.object({
  id: z.string(),
  at: z.string(),
  userId: z.string(),
  userName: z.string(),
  action: z.string(),
  kind: z.enum(auditKinds),
  target: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** An item of the configuration with its name, and what it says of skills. */
const configChoiceSchema = z.object({
  id: z.string(),
  config: z.record(z.string(), z.unknown()).optional(),
});
export type ConfigChoice = z.infer<typeof configChoiceSchema>;

/** What a model would be given for somebody in an app. */
export const trialSchema = z.object({
  groups: z.array(z.string()),
  model: z.string().optional(),
  skills: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      priority: z.number(),
      /** Stands in the catalogue; else it can only be picked with `/`. */
      inCatalogue: z.boolean(),
      /** Is active from the first message on. */
      isAlwaysUsed: z.boolean(),
    }),
  ),
  catalogue: z.string(),
  /** Without the text of the app if the administrator may neither open nor edit the app. */
  system: z.string(),
  withoutAppText: z.literal(true).optional(),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  tokens: z.object({ catalogue: z.number().int(), system: z.number().int() }),
  trimmed: z.enum(['not', 'descriptions', 'names-only', 'ranked']),
});
export type Trial = z.infer<typeof trialSchema>;

export const adminApi = {
  status: endpoint({
    ...forAdmins('What an admin should know of this installation'),
    method: 'GET',
    path: '/api/admin/status',
    response: z.object({
      version: z.string(),
      warnings: z.array(z.string()),
    }),
  }),
  audit: endpoint({
    ...forAdmins('What admins did, who signed in and who was denied access, the newest first'),
    method: 'GET',
    path: '/api/admin/audit',
    query: pageQuery.extend({
      kind: z.enum(auditKinds).optional(),
      target: z.string().max(300).optional(),
      /** Words, in any part of target, name of the user and action; also of skills changed together. */
      query: searchQuery,
      /** The id of whoever did it. */
      user: z.string().max(200).optional(),
      /** Not before this moment, and before that one. */
      from: z.iso.datetime().optional(),
      to: z.iso.datetime().optional(),
    }),
    response: listOf(auditEntrySchema),
  }),
  choices: endpoint({
    ...forAdmins(
      'The apps, groups, models or prompts there are, by name: what is chosen from where others look after them',
    ),
    method: 'GET',
    path: '/api/admin/choices/:kind',
    params: z.strictObject({ kind: z.enum(configKinds) }),
    query: pageQuery,
    response: listOf(configChoiceSchema),
  }),
  tryAs: endpoint({
    ...forAdmins(
      'The catalogue and the prompt that a user (right `users`), or members of groups, would get in an app; its own text for those who may open it, or have the right `apps`',
    ),
    method: 'POST',
    path: '/api/admin/try-as',
    body: z.strictObject({
      app: z.string().max(100),
      /** One of the two: a user's id, or groups. */
      user: z.string().max(100).optional(),
      groups: z.array(z.string().max(100)).max(100).optional(),
    }),
    response: trialSchema,
  }),
};
