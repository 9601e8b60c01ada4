import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { searchQuery } from '../list.ts';

const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });

export const ownerKinds = ['user', 'group'] as const;

/** The owner of a skill: gets suggestions and requests for access. */
const ownerKey = z.strictObject({
  kind: z.enum(ownerKinds),
  /** The id of the user or of the group. */
  id: z.string().min(1).max(300),
});
export type OwnerKey = z.infer<typeof ownerKey>;

export const skillOwnerSchema = z.object({ ...ownerKey.shape, name: z.string() });
export type SkillOwner = z.infer<typeof skillOwnerSchema>;

/** Maximum number of users and groups in a search. */
export const maxOwnerChoices = 20;

const params = z.strictObject({ name: z.string().min(1).max(300) });
/** Omitted for a skill without an owner, or if the owner no longer exists. */
const response = z.object({ owner: skillOwnerSchema.optional() });

export const skillOwnersApi = {
  get: endpoint({
    ...forAdmins('The owner of a skill'),
    method: 'GET',
    path: '/api/admin/skills/:name/owner',
    params,
    response,
  }),
  put: endpoint({
    ...forAdmins('Sets or removes the owner of a skill'),
    method: 'PUT',
    path: '/api/admin/skills/:name/owner',
    params,
    body: z.strictObject({ owner: ownerKey.nullable() }),
    response,
  }),
  choices: endpoint({
    ...forAdmins('Users and groups that can own a skill, by name; at most 20'),
    method: 'GET',
    path: '/api/admin/owner-choices',
    query: z.strictObject({ query: searchQuery }),
    response: z.object({ items: z.array(skillOwnerSchema) }),
  }),
};
