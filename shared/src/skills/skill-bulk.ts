import { z } from 'zod';
import type { AuditEntry } from '../config/admin.ts';
import { endpoint } from '../endpoint.ts';
import { publicationChecks } from './publication-checks.ts';

const name = z.string().min(1).max(300);
/** Maximum number of skills in one bulk change. */
const maxNames = 20_000;
const names = z.array(name).min(1).max(maxNames);
/** An app that lists these skills, or a group that grants them. */
const target = { kind: z.enum(['apps', 'groups']), id: z.string().max(100) };

const bulkChangeSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('switch'), names, enabled: z.boolean() }),
  z.strictObject({ action: z.literal('assign'), names, ...target }),
  z.strictObject({ action: z.literal('unassign'), names, ...target }),
  z.strictObject({
    action: z.literal('delete'),
    /** With the checksum that the client has seen. */
    skills: z
      .array(z.strictObject({ name, checksum: z.string().max(200) }))
      .min(1)
      .max(maxNames),
  }),
]);
export type BulkChange = z.output<typeof bulkChangeSchema>;

/** Why a change of several skills failed for one of them. */
export const bulkFailureSchema = z.object({
  name: z.string(),
  message: z.string(),
  /** Required checks that fail: people with the right to publish can override them with a reason. */
  checks: z.array(z.enum(publicationChecks)).optional(),
});

const bulkResultSchema = z.object({
  /** Skills for which it succeeded. */
  done: z.array(z.string()),
  /** The others; a failure does not stop the rest. */
  failed: z.array(bulkFailureSchema),
  /** After a deletion: numbers of versions to restore, by name. */
  restorable: z.record(z.string(), z.number().int()),
});
export type BulkResult = z.output<typeof bulkResultSchema>;

/** How far a change of skills reaches. */
const bulkReachSchema = z.object({
  /** Number of apps that offer one of the skills. */
  apps: z.number().int(),
  /** Number of enabled accounts that may use one of the skills. */
  people: z.number().int(),
});
export type BulkReach = z.output<typeof bulkReachSchema>;

/** Why an undo leaves a skill as it is: it was changed since, no longer exists, or cannot be switched on. */
const leftReasons = ['changed', 'missing', 'broken'] as const;
export type LeftReason = (typeof leftReasons)[number];

const undoneSchema = z.object({
  /** Skills that get their earlier value. */
  done: z.array(z.string()),
  left: z.array(z.object({ name: z.string(), reason: z.enum(leftReasons) })),
});
export type Undone = z.output<typeof undoneSchema>;

const auditedNames = z.array(name).max(maxNames);
/** Names of skills that had, or have, no setting of their own. */
const unset = auditedNames.default([]);
const pins = z.record(name, z.number().int());
const owner = { apps: z.string().optional(), groups: z.string().optional() };

/** A bulk change that can be undone, as the audit log stores it. */
const undoableSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.enum(['switched-on', 'switched-off']),
    before: z.object({ enabled: z.boolean(), unset }),
    after: z.object({ enabled: z.boolean(), unset, skills: auditedNames }),
  }),
  z.object({
    action: z.literal('assigned'),
    after: z.object({ skills: auditedNames, pins: pins.default({}), ...owner }),
  }),
  z.object({
    action: z.literal('unassigned'),
    // Entries of earlier releases have none: it is not known what to restore.
    before: z.object({ pins }),
    after: z.object({ skills: auditedNames, pins: pins.default({}), ...owner }),
  }),
]);
export type UndoableChange = z.output<typeof undoableSchema>;

/** The bulk change of an audit entry; undefined if it cannot be undone. */
export function findUndoable(
  entry: Pick<AuditEntry, 'kind' | 'action' | 'before' | 'after'>,
): UndoableChange | undefined {
  const change = entry.kind === 'skill' ? undoableSchema.safeParse(entry).data : undefined;
  const isOwned = change && ('enabled' in change.after || change.after.apps || change.after.groups);
  return isOwned ? change : undefined;
}

const entry = z.strictObject({ entry: z.string().max(100) });

export const skillBulkApi = {
  change: endpoint({
    access: 'admin',
    summary:
      'Enables, disables, assigns, unassigns or deletes many skills; one entry in the audit log',
    method: 'POST',
    path: '/api/admin/skills/bulk',
    body: bulkChangeSchema,
    response: bulkResultSchema,
  }),
  reach: endpoint({
    access: 'admin',
    summary: 'How many apps and people a change of these skills reaches',
    method: 'POST',
    path: '/api/admin/skills/bulk/reach',
    body: z.strictObject({ names }),
    response: bulkReachSchema,
  }),
  previewUndo: endpoint({
    access: 'admin',
    summary:
      'What the undo of a bulk change in the audit log would restore, and how far it reaches',
    method: 'GET',
    path: '/api/admin/skills/bulk/undo/:entry',
    params: entry,
    response: undoneSchema.extend(bulkReachSchema.shape),
  }),
  undo: endpoint({
    access: 'admin',
    summary:
      'Undoes a bulk change in the audit log, for the skills that still have the value that it set; one entry in the audit log, which can be undone too',
    method: 'POST',
    path: '/api/admin/skills/bulk/undo/:entry',
    params: entry,
    response: undoneSchema,
  }),
};
