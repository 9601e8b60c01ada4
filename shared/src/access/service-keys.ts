import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { apiKeySchema, newApiKeySchema, scopesOf } from './api-keys.ts';
import { serviceKeyScopes } from './key-scopes.ts';
import { quotaSchema } from './quotas.ts';

/** A service key: a program without a user, with the permissions of its groups. */
export const serviceKeySchema = apiKeySchema.extend({
  scopes: z.array(z.enum(serviceKeyScopes)),
  /** Ids of groups. */
  groups: z.array(z.string()),
  quota: quotaSchema.optional(),
  createdBy: z.string(),
  /**
   * The creator may no longer create such a key. It keeps working, because it acts for no person.
   */
  creatorLostRights: z.literal(true).optional(),
});
export type ServiceKey = z.infer<typeof serviceKeySchema>;

const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });

/** Administrators manage service keys. */
export const serviceKeysApi = {
  list: endpoint({
    ...forAdmins('Service keys, newest first, without the keys themselves'),
    method: 'GET',
    path: '/api/admin/keys',
    query: pageQuery,
    response: listOf(serviceKeySchema),
  }),
  create: endpoint({
    ...forAdmins(
      'Creates a key with the permissions of these groups; only this response contains it',
    ),
    method: 'POST',
    path: '/api/admin/keys',
    body: newApiKeySchema.extend({
      scopes: scopesOf(serviceKeyScopes),
      groups: z.array(z.string().max(100)).min(1, 'Choose a group.').max(100),
      quota: quotaSchema.strict().optional(),
    }),
    response: z.object({ key: z.string(), details: serviceKeySchema }),
  }),
  remove: endpoint({
    ...forAdmins(
      'Revokes a key and deletes its conversations; its running requests end within a second',
    ),
    method: 'DELETE',
    path: '/api/admin/keys/:id',
    params: z.strictObject({ id: z.string().max(100) }),
    response: z.void(),
  }),
};
