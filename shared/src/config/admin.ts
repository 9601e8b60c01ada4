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

/** Target of an entry about several skills: `after.skills` names them. */
export const severalTargets = '*';

/** A change with its author, time, and the state before and after. */
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

/** An item of the configuration for selection lists, with its skills. */
const configChoiceSchema = z.object({
  id: z.string(),
  config: z.record(z.string(), z.unknown()).optional(),
});
export type ConfigChoice = z.infer<typeof configChoiceSchema>;

const reviewRules = z.object({ mode: z.enum(['direct', 'review']), fourEyes: z.boolean() });

/** Preview of what a model would get for a user in an app. */
export const trialSchema = z.object({
  groups: z.array(z.string()),
  model: z.string().optional(),
  skills: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      priority: z.number(),
      /** Listed in the catalogue; otherwise it can only be picked with `/`. */
      inCatalogue: z.boolean(),
      /** Active from the first message. */
      isAlwaysUsed: z.boolean(),
    }),
  ),
  catalogue: z.string(),
  /** Without the app's prompt if the administrator may neither open nor edit the app. */
  system: z.string(),
  withoutAppText: z.literal(true).optional(),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  tokens: z.object({ catalogue: z.number().int(), system: z.number().int() }),
  trimmed: z.enum(['not', 'descriptions', 'names-only', 'ranked']),
});
export type Trial = z.infer<typeof trialSchema>;

export const adminApi = {
  status: endpoint({
    ...forAdmins('Status of this installation for administrators'),
    method: 'GET',
    path: '/api/admin/status',
    response: z.object({
      version: z.string(),
      warnings: z.array(z.string()),
      /** Whether changes of skills need a review, and by another person than their authors. */
      publishing: reviewRules.extend({
        /** Whether edits in the file system are reviewed now: a new setting takes effect within seconds. */
        files: z.enum(['direct', 'review']),
        byCategory: z.record(z.string(), reviewRules.partial()),
      }),
    }),
  }),
  audit: endpoint({
    ...forAdmins('The audit log: changes, sign-ins and denied access, newest first'),
    method: 'GET',
    path: '/api/admin/audit',
    query: pageQuery.extend({
      kind: z.enum(auditKinds).optional(),
      target: z.string().max(300).optional(),
      /**
       * Words in the target, user name or action; also names of skills that were changed together.
       */
      query: searchQuery,
      /** Id of the user who made the change. */
      user: z.string().max(200).optional(),
      /** From this time (inclusive), to that time (exclusive). */
      from: z.iso.datetime().optional(),
      to: z.iso.datetime().optional(),
    }),
    response: listOf(auditEntrySchema),
  }),
  choices: endpoint({
    ...forAdmins(
      'Apps, groups, models or prompts by name, for selection lists of administrators who do not manage them',
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
      /** Either a user's id, or groups. */
      user: z.string().max(100).optional(),
      groups: z.array(z.string().max(100)).max(100).optional(),
    }),
    response: trialSchema,
  }),
};
