import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const name = z.string().min(1).max(300);
const names = z.array(name).min(1).max(20_000);
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
      .max(20_000),
  }),
]);
export type BulkChange = z.output<typeof bulkChangeSchema>;

const bulkResultSchema = z.object({
  /** Skills for which it succeeded. */
  done: z.array(z.string()),
  /** The others; a failure does not stop the rest. */
  failed: z.array(z.object({ name: z.string(), message: z.string() })),
  /** After a deletion: numbers of versions to restore, by name. */
  restorable: z.record(z.string(), z.number().int()),
});
export type BulkResult = z.output<typeof bulkResultSchema>;

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
};
