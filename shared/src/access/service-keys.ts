import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { apiKeySchema, newApiKeySchema } from './api-keys.ts';
import { quotaSchema } from './quotas.ts';

/** A key of a program that works for nobody: it may do what its groups may. */
export const serviceKeySchema = apiKeySchema.extend({
  /** Ids. */
  groups: z.array(z.string()),
  quota: quotaSchema.optional(),
  createdBy: z.string(),
  /** The creator may no longer create such a key. It keeps working: it acts for no person. */
  creatorLostRights: z.literal(true).optional(),
});
export type ServiceKey = z.infer<typeof serviceKeySchema>;

const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });

/** Keys without a person, for admins to make and to revoke. */
export const serviceKeysApi = {
  list: endpoint({
    ...forAdmins('The keys of programs that work for nobody, the newest first; not what they are'),
    method: 'GET',
    path: '/api/admin/keys',
    query: pageQuery,
    response: listOf(serviceKeySchema),
  }),
  create: endpoint({
    ...forAdmins('Makes a key that may do what these groups may; only this answer holds it'),
    method: 'POST',
    path: '/api/admin/keys',
    body: newApiKeySchema.extend({
      groups: z.array(z.string().max(100)).min(1, 'Choose a group.').max(100),
      quota: quotaSchema.strict().optional(),
    }),
    response: z.object({ key: z.string(), details: serviceKeySchema }),
  }),
  remove: endpoint({
    ...forAdmins(
      'Revokes a key and deletes its conversations; what is under way ends within a second',
    ),
    method: 'DELETE',
    path: '/api/admin/keys/:id',
    params: z.strictObject({ id: z.string().max(100) }),
    response: z.void(),
  }),
};
