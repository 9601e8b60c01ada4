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
    /** With the checksum that was seen. */
    skills: z
      .array(z.strictObject({ name, checksum: z.string().max(200) }))
      .min(1)
      .max(20_000),
  }),
]);
export type BulkChange = z.output<typeof bulkChangeSchema>;

const bulkResultSchema = z.object({
  /** Those for which it is so now. */
  done: z.array(z.string()),
  /** The others: those refused stop nothing. */
  failed: z.array(z.object({ name: z.string(), message: z.string() })),
  /** After a deletion, the revision that brings a skill back, by its name. */
  restorable: z.record(z.string(), z.number().int()),
});
export type BulkResult = z.output<typeof bulkResultSchema>;

export const skillBulkApi = {
  change: endpoint({
    access: 'admin',
    summary: 'Switches, assigns, takes away or deletes many skills; one entry of the audit log',
    method: 'POST',
    path: '/api/admin/skills/bulk',
    body: bulkChangeSchema,
    response: bulkResultSchema,
  }),
};
