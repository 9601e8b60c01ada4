import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';

/** A server of tools to which a user can sign in, is signed in, or was. */
export const connectionSchema = z.object({
  /** Its id. */
  server: z.string(),
  title: z.string(),
  /** The host that signed in. */
  issuer: z.string().optional(),
  /**
   * `refused`: the issuer renews it no more; the user has to sign in again. `limited`: the server has wanted more
   * rights than it was given; the user may sign in again with them.
   */
  status: z.enum(['signed-in', 'limited', 'refused', 'signed-out']),
  since: z.iso.datetime().optional(),
  /** Whether the user may sign in, now; what they are signed in to may have been taken away. */
  isOffered: z.boolean(),
});
export type ToolConnection = z.infer<typeof connectionSchema>;

const server = z.string().min(1).max(64);
const text = z.string().max(4000);

/** What people do with their sign-ins to servers of tools. */
export const connectionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/account/connections',
    access: 'user',
    summary: 'Servers of tools to which the caller is or may be signed in',
    query: pageQuery,
    response: listOf(connectionSchema),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/account/connections/:server/sign-in',
    access: 'user',
    summary: 'Begins to sign in to a server of tools; go on at the address in a browser',
    params: z.strictObject({ server }),
    response: z.object({ url: z.url() }),
  }),
  callback: fileEndpoint({
    method: 'GET',
    path: '/api/account/connections/callback',
    access: 'user',
    summary: 'Where the browser comes back to from a sign-in; a page for people',
    // Issuers add fields of their own.
    query: z.object({
      state: text.default(''),
      code: text.optional(),
      iss: text.optional(),
      error: text.optional(),
    }),
    isDownload: false,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/account/connections/:server',
    access: 'user',
    summary: 'Signs out of a server of tools',
    params: z.strictObject({ server }),
    response: z.object({
      /** Whether the issuer has ended it, too; what was kept here is gone in any case. */
      revoked: z.boolean(),
    }),
  }),
  client: endpoint({
    method: 'GET',
    path: '/api/oauth/client.json',
    access: 'public',
    summary: 'What this installation says of itself to issuers; only with an https PUBLIC_URL',
    response: z.looseObject({ client_id: z.url() }),
  }),
};
