import { localize } from '@knowhow/shared/config/localized';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { OAuthServer } from './oauth-server.ts';

/** What `auth` says of a server to which each user signs in. */
const authSchema = z.looseObject({
  type: z.literal('oauth'),
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  scope: z.string().min(1).optional(),
});

/** As its sign-in sees it; undefined where nobody signs in. */
export function signInServerOf(server: McpServer): OAuthServer | undefined {
  const auth = authSchema.safeParse(server.auth);
  if (server.kind !== 'http' || !server.enabled || !auth.success) {
    return undefined;
  }
  const { clientId: id, clientSecret: secret, scope } = auth.data;
  const client = id === undefined ? undefined : { id, secret };
  return { id: server.id, title: localize(server.title, 'en'), url: server.url, client, scope };
}

/** Whether each user signs in to a server, and has connections of their own. */
export function isPersonal(server: McpServer): boolean {
  return server.kind === 'http' && server.auth?.type === 'oauth';
}

/** How an admin gets a server to work that wants to know who uses it. */
export function signInNote(server: McpServer): string {
  return isPersonal(server)
    ? 'Each user signs in to it: in the account menu, under Connections.'
    : 'It wants a sign-in, or another one. Write "auth": {"type": "oauth"} for it into mcp.json, so that each user signs in, or the header with its key.';
}

/** The servers of which somebody may use a tool, and to which people sign in. */
export function signInServersFor(servers: readonly McpServer[], caller: Caller): OAuthServer[] {
  return servers
    .filter((server) => mayUse(server, caller))
    .flatMap((server) => signInServerOf(server) ?? []);
}

/** Whether a server has tools for somebody. */
export function mayUse({ id, groups }: McpServer, caller: Caller): boolean {
  const { tools } = caller.permissions;
  const isMember = groups?.some((group) => caller.groups.includes(group)) ?? true;
  const isGranted =
    tools === 'all' || [...tools].some((entry) => entry === id || entry.startsWith(`${id}/`));
  return isMember && isGranted;
}
