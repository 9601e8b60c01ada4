import { localize } from '@knowhow/shared/config/localized';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { z } from 'zod';
import type { Caller } from '../../../identity/index.ts';
import type { OAuthServer } from './oauth-server.ts';

/** The `auth` settings of a server to which each user signs in. */
const authSchema = z.looseObject({
  type: z.literal('oauth'),
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  scope: z.string().min(1).optional(),
});

/** The OAuth settings of a server; undefined if users do not sign in to it. */
export function getSignInServer(server: McpServer): OAuthServer | undefined {
  const auth = authSchema.safeParse(server.auth);
  if (server.kind !== 'http' || !server.enabled || !auth.success) {
    return undefined;
  }
  const { clientId: id, clientSecret: secret, scope } = auth.data;
  const client = id === undefined ? undefined : { id, secret };
  return { id: server.id, title: localize(server.title, 'en'), url: server.url, client, scope };
}

/** Whether each user signs in to the server and has their own connection. */
export function isPersonal(server: McpServer): boolean {
  return server.kind === 'http' && server.auth?.type === 'oauth';
}

/** Tells an admin how to set up a server that requires authentication. */
export function signInNote(server: McpServer): string {
  return isPersonal(server)
    ? 'Each user signs in to it: in the account menu, under Connections.'
    : 'It wants a sign-in, or another one. Write "auth": {"type": "oauth"} for it into mcp.json, so that each user signs in, or the header with its key.';
}

/** Servers that require sign-in and of which the caller may use a tool. */
export function signInServersFor(servers: readonly McpServer[], caller: Caller): OAuthServer[] {
  return servers
    .filter((server) => canUseServer(server, caller))
    .flatMap((server) => getSignInServer(server) ?? []);
}

/** Whether the caller may use any tool of a server. */
export function canUseServer({ id, groups }: McpServer, caller: Caller): boolean {
  const { tools } = caller.permissions;
  const isMember = groups?.some((group) => caller.groups.includes(group)) ?? true;
  const isGranted =
    tools === 'all' || [...tools].some((entry) => entry === id || entry.startsWith(`${id}/`));
  return isMember && isGranted;
}
