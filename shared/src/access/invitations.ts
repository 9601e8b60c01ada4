import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { nameOf, personName } from '../names.ts';

/** A single-use link for creating an account. */
export const invitationSchema = z.object({
  id: z.string(),
  /** Whom it is for, as noted by its creator. */
  note: z.string(),
  /** Ids of the account's groups. */
  groups: z.array(z.string()),
  createdBy: z.string(),
  /** Whether its creator may no longer assign these groups: it creates no account. */
  isVoid: z.boolean(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Invitation = z.infer<typeof invitationSchema>;

const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });
const token = z.string().min(1).max(100);

export const invitationsApi = {
  list: endpoint({
    ...forAdmins('Unused invitations, newest first, without their links'),
    method: 'GET',
    path: '/api/admin/invitations',
    query: pageQuery,
    response: listOf(invitationSchema),
  }),
  create: endpoint({
    ...forAdmins('Creates an invitation link for one account; only this response contains it'),
    method: 'POST',
    path: '/api/admin/invitations',
    body: z.strictObject({
      note: nameOf(200),
      groups: z.array(z.string().max(100)).max(100),
      expiresInDays: z.number().int().min(1).max(90),
    }),
    response: z.object({
      /** On this server: `/invitation#…`. The fragment is not sent to servers. */
      path: z.string(),
      details: invitationSchema,
    }),
  }),
  remove: endpoint({
    ...forAdmins('Revokes an invitation'),
    method: 'DELETE',
    path: '/api/admin/invitations/:id',
    params: z.strictObject({ id: z.string().max(100) }),
    response: z.void(),
  }),
  find: endpoint({
    method: 'POST',
    path: '/api/invitations/find',
    access: 'public',
    summary: 'Checks an invitation and returns the password rules',
    body: z.strictObject({ token }),
    response: z.object({ expiresAt: z.iso.datetime(), passwordMinLength: z.number().int() }),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/invitations/accept',
    access: 'public',
    summary: 'Creates the account of an invitation and signs in',
    body: z.strictObject({
      token,
      username: nameOf(200),
      name: personName(200),
      password: z.string().min(8, 'A password has at least 8 characters.').max(1000),
    }),
    response: z.void(),
  }),
};
