import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { nameOf, personName } from '../names.ts';
import { heldRightsSchema } from './admin-rights.ts';

export const userSchema = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  /** Those that an administrator has given. */
  groups: z.array(z.string()),
  /** Where they sign in, and what is said of them there; left out for who has an account here alone. */
  directory: z
    .object({
      /** The provider, and what people call it. */
      provider: z.string(),
      title: z.string(),
      email: z.string().optional(),
      /** Those that it gives: only there they can be changed. */
      groups: z.array(z.string()),
      /** When they last signed in there. */
      at: z.string(),
    })
    .optional(),
  disabled: z.boolean(),
  /** Whether there is anything they look after. */
  isAdmin: z.boolean(),
  /** What that is; left out where there is nothing. */
  adminRights: heldRightsSchema.optional(),
  /** A code is asked for at their sign-in. */
  hasSecondFactor: z.literal(true).optional(),
  createdAt: z.string(),
});
export type User = z.infer<typeof userSchema>;

const id = z.strictObject({ id: z.uuid() });
const groups = z.array(z.string().max(100)).max(100);
const password = z.string().min(8, 'A password has at least 8 characters.').max(1000);
const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });

export const adminUsersApi = {
  list: endpoint({
    ...forAdmins('Everyone with an account'),
    method: 'GET',
    path: '/api/admin/users',
    query: pageQuery.extend({ query: z.string().max(200).optional() }),
    response: listOf(userSchema),
  }),
  create: endpoint({
    ...forAdmins('Adds a user; without a password one is made and shown once'),
    method: 'POST',
    path: '/api/admin/users',
    body: z.strictObject({
      username: nameOf(200),
      name: personName(200),
      groups,
      password: password.optional(),
    }),
    response: z.object({ user: userSchema, password: z.string().optional() }),
  }),
  get: endpoint({
    ...forAdmins('A user, and how many conversations they have'),
    method: 'GET',
    path: '/api/admin/users/:id',
    params: id,
    response: userSchema.extend({ conversations: z.number().int() }),
  }),
  update: endpoint({
    ...forAdmins("Changes a user's name and groups, or keeps them out"),
    method: 'PUT',
    path: '/api/admin/users/:id',
    params: id,
    body: z.strictObject({
      name: personName(200).optional(),
      groups: groups.optional(),
      disabled: z.boolean().optional(),
    }),
    response: userSchema,
  }),
  remove: endpoint({
    ...forAdmins(
      'Deletes a user, who is signed out at once, and their conversations, or keeps those for nobody to read',
    ),
    method: 'DELETE',
    path: '/api/admin/users/:id',
    params: id,
    query: z.strictObject({ conversations: z.enum(['delete', 'keep']) }),
    response: z.void(),
  }),
  removeSecondFactor: endpoint({
    ...forAdmins(
      "Takes a user's second factor off, who has lost it: their password alone is enough",
    ),
    method: 'DELETE',
    path: '/api/admin/users/:id/second-factor',
    params: id,
    response: z.void(),
  }),
  moveSignIn: endpoint({
    ...forAdmins(
      'Gives what an account signs in with elsewhere to one with a password, which has none then; both are signed out, and the former is disabled',
    ),
    method: 'POST',
    path: '/api/admin/users/:id/move-sign-in',
    params: id,
    body: z.strictObject({ to: z.uuid() }),
    response: userSchema,
  }),
  resetPassword: endpoint({
    ...forAdmins(
      'Sets a password, or makes one and shows it once; the user is signed out everywhere',
    ),
    method: 'POST',
    path: '/api/admin/users/:id/reset-password',
    params: id,
    body: z.strictObject({ password: password.optional() }),
    response: z.object({ password: z.string().optional() }),
  }),
};
