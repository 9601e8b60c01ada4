import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { nameOf, personName } from '../names.ts';
import { heldRightsSchema } from './admin-rights.ts';
import { mailAddress, mailSettingSchema } from './mail.ts';

export const userSchema = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  /** Groups assigned by an administrator. */
  groups: z.array(z.string()),
  /** Identity provider of the user, and the profile there; omitted for a local account. */
  directory: z
    .object({
      /** The provider and its displayed name. */
      provider: z.string(),
      title: z.string(),
      email: z.string().optional(),
      /** Groups from the identity provider; they can only be changed there. */
      groups: z.array(z.string()),
      /** Last sign-in with the provider. */
      at: z.string(),
    })
    .optional(),
  disabled: z.boolean(),
  /** Whether the user has any admin rights. */
  isAdmin: z.boolean(),
  /** Admin rights; omitted if there are none. */
  adminRights: heldRightsSchema.optional(),
  /** A second factor is required at sign-in. */
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
    ...forAdmins('All users'),
    method: 'GET',
    path: '/api/admin/users',
    query: pageQuery.extend({ query: z.string().max(200).optional() }),
    response: listOf(userSchema),
  }),
  create: endpoint({
    ...forAdmins('Adds a user; without a password, one is generated and returned once'),
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
    ...forAdmins('A user, with the number of conversations'),
    method: 'GET',
    path: '/api/admin/users/:id',
    params: id,
    response: userSchema.extend({ conversations: z.number().int(), mail: mailSettingSchema }),
  }),
  update: endpoint({
    ...forAdmins("Changes a user's name and groups, or disables the account"),
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
  setMailAddress: endpoint({
    ...forAdmins("Sets a user's e-mail address, or returns to the one from the identity provider"),
    method: 'PUT',
    path: '/api/admin/users/:id/mail',
    params: id,
    body: z.strictObject({ address: mailAddress.nullable() }),
    response: mailSettingSchema,
  }),
  remove: endpoint({
    ...forAdmins(
      'Deletes a user, ends all sessions, and deletes the conversations or keeps them inaccessible',
    ),
    method: 'DELETE',
    path: '/api/admin/users/:id',
    params: id,
    query: z.strictObject({ conversations: z.enum(['delete', 'keep']) }),
    response: z.void(),
  }),
  removeSecondFactor: endpoint({
    ...forAdmins("Resets a user's second factor, so that the password alone is enough"),
    method: 'DELETE',
    path: '/api/admin/users/:id/second-factor',
    params: id,
    response: z.void(),
  }),
  moveSignIn: endpoint({
    ...forAdmins(
      'Moves the provider identity of an account to one with a password, which is removed; signs out both and disables the former',
    ),
    method: 'POST',
    path: '/api/admin/users/:id/move-sign-in',
    params: id,
    body: z.strictObject({ to: z.uuid() }),
    response: userSchema,
  }),
  resetPassword: endpoint({
    ...forAdmins(
      'Sets a password, or generates one and returns it once; ends all sessions of the user',
    ),
    method: 'POST',
    path: '/api/admin/users/:id/reset-password',
    params: id,
    body: z.strictObject({ password: password.optional() }),
    response: z.object({ password: z.string().optional() }),
  }),
};
