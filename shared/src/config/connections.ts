import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';

/** A tool server that a user can connect to, or is or was connected to. */
export const connectionSchema = z.object({
  /** Id of the server. */
  server: z.string(),
  title: z.string(),
  /** Host of the authorization server. */
  issuer: z.string().optional(),
  /**
   * `refused`: the refresh token was rejected; the user must sign in again. `limited`: the server
   * has asked for more scopes; the user may sign in again to grant them.
   */
  status: z.enum(['signed-in', 'limited', 'refused', 'signed-out']),
  since: z.iso.datetime().optional(),
  /** Whether the user may sign in now; access to a connected server may have been removed. */
  isOffered: z.boolean(),
});
export type ToolConnection = z.infer<typeof connectionSchema>;

const server = z.string().min(1).max(64);
const text = z.string().max(4000);

/** Users manage their connections to tool servers. */
export const connectionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/account/connections',
    access: 'user',
    summary: 'Tool servers that the caller is or may be connected to',
    query: pageQuery,
    response: listOf(connectionSchema),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/account/connections/:server/sign-in',
    access: 'user',
    summary: 'Starts the sign-in to a tool server; continue at the returned URL in a browser',
    params: z.strictObject({ server }),
    response: z.object({ url: z.url() }),
  }),
  callback: fileEndpoint({
    method: 'GET',
    path: '/api/account/connections/callback',
    access: 'user',
    summary: 'The redirect URI of the sign-in; an HTML page',
    // Authorization servers add their own fields.
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
    summary: 'Disconnects from a tool server',
    params: z.strictObject({ server }),
    response: z.object({
      /**
       * Whether the authorization server has revoked it, too; our tokens are deleted in any case.
       */
      revoked: z.boolean(),
    }),
  }),
  client: endpoint({
    method: 'GET',
    path: '/api/oauth/client.json',
    access: 'public',
    summary: 'OAuth client metadata of this installation; only with an https PUBLIC_URL',
    response: z.looseObject({ client_id: z.url() }),
  }),
};
