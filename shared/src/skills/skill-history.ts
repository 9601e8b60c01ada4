import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { adminSkillDetailSchema } from './admin-skill.ts';
import { fileChangeSchema } from './file-changes.ts';

/** A revision of a skill. */
export const revisionSchema = z.object({
  number: z.number().int(),
  at: z.string(),
  /** Omitted for changes found on the disk. */
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
export type Revision = z.infer<typeof revisionSchema>;

const skillName = z.strictObject({ name: z.string().min(1).max(300) });
const summary = (text: string) => ({ access: 'admin' as const, summary: text });

export const skillHistoryApi = {
  history: endpoint({
    ...summary('Recent revisions of a skill, newest first'),
    method: 'GET',
    path: '/api/admin/skills/:name/history',
    params: skillName,
    query: pageQuery,
    response: listOf(revisionSchema),
  }),
  revision: endpoint({
    ...summary('A revision, compared with the previous one or the current files'),
    method: 'GET',
    path: '/api/admin/skills/:name/history/:revision',
    params: skillName.extend({ revision: z.coerce.number().int().positive() }),
    query: z.strictObject({ against: z.enum(['previous', 'current']).optional() }),
    response: z.object({ revision: revisionSchema, changes: z.array(fileChangeSchema) }),
  }),
  restore: endpoint({
    ...summary('Restores a revision, including of a deleted skill'),
    method: 'POST',
    path: '/api/admin/skills/:name/history/:revision/restore',
    params: skillName.extend({ revision: z.coerce.number().int().positive() }),
    response: adminSkillDetailSchema,
  }),
};
