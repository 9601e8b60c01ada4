import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** How much is shared. The names of personal skills are those of their owners only. */
const sharingSchema = z.object({
  /** Number of shared skills. */
  skills: z.number().int(),
  /** Number of enabled accounts with access, other than the owner. */
  people: z.number().int(),
  /** Number of those who lose access to a skill when this sharing ends: others also have it in another way. */
  losing: z.number().int(),
});
export type SkillSharing = z.infer<typeof sharingSchema>;

const id = z.strictObject({ id: z.string().min(1).max(300) });

/** Oversight of the personal skills that users share with each other. */
export const skillSharingApi = {
  ofUser: endpoint({
    access: 'admin',
    summary: 'How many personal skills a user shares, and with how many people',
    method: 'GET',
    path: '/api/admin/users/:id/skill-sharing',
    params: id,
    response: sharingSchema,
  }),
  endOfUser: endpoint({
    access: 'admin',
    summary: 'Ends all sharing of the personal skills of a user',
    method: 'DELETE',
    path: '/api/admin/users/:id/skill-sharing',
    params: id,
    response: sharingSchema,
  }),
  withGroup: endpoint({
    access: 'admin',
    summary: 'How many personal skills are shared with a group, and with how many people',
    method: 'GET',
    path: '/api/admin/groups/:id/skill-sharing',
    params: id,
    response: sharingSchema,
  }),
  endWithGroup: endpoint({
    access: 'admin',
    summary: 'Ends all sharing of personal skills with a group',
    method: 'DELETE',
    path: '/api/admin/groups/:id/skill-sharing',
    params: id,
    response: sharingSchema,
  }),
};
