import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { nameOf, personName } from '../names.ts';

/** A link by which one person makes an account of their own. Gone once it is used. */
export const invitationSchema = z.object({
  id: z.string(),
  /** Whom it is for, in the words of who made it. */
  note: z.string(),
  /** Ids: what the account will be in. */
  groups: z.array(z.string()),
  createdBy: z.string(),
  /** Whether its creator may no longer give these groups: it creates no account. */
  isVoid: z.boolean(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Invitation = z.infer<typeof invitationSchema>;

const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });
const token = z.string().min(1).max(100);

export const invitationsApi = {
  list: endpoint({
    ...forAdmins('Invitations that nobody has used yet, the newest first; not their links'),
    method: 'GET',
    path: '/api/admin/invitations',
    query: pageQuery,
    response: listOf(invitationSchema),
  }),
  create: endpoint({
    ...forAdmins('Makes a link by which one person makes an account; only this answer holds it'),
    method: 'POST',
    path: '/api/admin/invitations',
    body: z.strictObject({
      note: nameOf(200),
      groups: z.array(z.string().max(100)).max(100),
      expiresInDays: z.number().int().min(1).max(90),
    }),
    response: z.object({
      /** Of this server: `/invitation#…`. What is behind the `#` no server is told. */
      path: z.string(),
      details: invitationSchema,
    }),
  }),
  remove: endpoint({
    ...forAdmins('Takes an invitation back'),
    method: 'DELETE',
    path: '/api/admin/invitations/:id',
    params: z.strictObject({ id: z.string().max(100) }),
    response: z.void(),
  }),
  find: endpoint({
    method: 'POST',
    path: '/api/invitations/find',
    access: 'public',
    summary: 'Whether an invitation is good, and what a password has to be like',
    body: z.strictObject({ token }),
    response: z.object({ expiresAt: z.iso.datetime(), passwordMinLength: z.number().int() }),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/invitations/accept',
    access: 'public',
    summary: 'Makes the account that an invitation is for, and signs in with it',
    body: z.strictObject({
      token,
      username: nameOf(200),
      name: personName(200),
      password: z.string().min(8, 'A password has at least 8 characters.').max(1000),
    }),
    response: z.void(),
  }),
};
