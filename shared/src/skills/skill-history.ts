import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { adminSkillDetailSchema } from './admin-skill.ts';
import { fileChangeSchema } from './file-changes.ts';

/** One state of a skill. */
export const revisionSchema = z.object({
  number: z.number().int(),
  at: z.string(),
  /** Nobody for what was found on the disk. */
  by: z.string().optional(),
  action: z.string(),
  /** Such as the path of the file that was written. */
  summary: z.string(),
  /** Of the state as `If-Match` takes it; none for a deletion. */
  checksum: z.string().optional(),
  files: z.number().int(),
  bytes: z.number().int(),
  /** The files are as they were then. */
  current: z.boolean(),
});
export type Revision = z.infer<typeof revisionSchema>;

const skillName = z.strictObject({ name: z.string().min(1).max(300) });
const summary = (text: string) => ({ access: 'admin' as const, summary: text });

export const skillHistoryApi = {
  history: endpoint({
    ...summary('The last states of a skill, the newest first'),
    method: 'GET',
    path: '/api/admin/skills/:name/history',
    params: skillName,
    query: pageQuery,
    response: listOf(revisionSchema),
  }),
  revision: endpoint({
    ...summary('One state, and how it differs from the one before it or from the files now'),
    method: 'GET',
    path: '/api/admin/skills/:name/history/:revision',
    params: skillName.extend({ revision: z.coerce.number().int().positive() }),
    query: z.strictObject({ against: z.enum(['previous', 'current']).optional() }),
    response: z.object({ revision: revisionSchema, changes: z.array(fileChangeSchema) }),
  }),
  restore: endpoint({
    ...summary('Brings a state back, also of a skill that was deleted'),
    method: 'POST',
    path: '/api/admin/skills/:name/history/:revision/restore',
    params: skillName.extend({ revision: z.coerce.number().int().positive() }),
    response: adminSkillDetailSchema,
  }),
};
