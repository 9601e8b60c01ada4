import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { isPersonal } from './oauth/sign-in-servers.ts';
import type { Era, McpAuth, McpFetch, ServerSession } from './server-session.ts';

/** Dependencies of server connections. */
export interface SessionParts {
  version: string;
  /**
   * Returns the `fetch` for an HTTP server.
   *
   * @param onExceeded called with a sentence when a response exceeds a limit
   */
  fetchFor: (server: McpServer, onExceeded: (why: string) => void) => McpFetch;
  /** The auth provider of a user, for servers to which each user signs in. */
  authFor?: (server: McpServer, user: string) => McpAuth | undefined;
  /** The home directory of a stdio server. Creates it. */
  homeOf: (server: string) => Promise<string>;
  /** The environment of a stdio server. */
  childEnvironment: (
    home: string,
    given: Readonly<Record<string, string>>,
  ) => Record<string, string>;
}

interface OpenOptions {
  /** Empty if the connection is shared. */
  user: string;
  signal: AbortSignal;
  verdict: Era | undefined;
  onClosed(why: string | undefined): void;
  onLimit(why: string): void;
  onToolsChanged(): void;
  onPromptsChanged(): void;
}

/** Opens a connection to a server. Loads the MCP library on first use. */
export async function openSession(
  server: McpServer,
  options: OpenOptions,
  { version, fetchFor, authFor, homeOf, childEnvironment }: SessionParts,
): Promise<ServerSession> {
  const { connectServer } = await import('./connect-server.ts');
  const child = { env: {}, cwd: '' };
  if (server.kind === 'stdio') {
    const home = await homeOf(server.id);
    child.env = childEnvironment(home, server.env);
    child.cwd = server.cwd ?? home;
  }
  const auth = isPersonal(server) ? authFor?.(server, options.user) : undefined;
  const shared = { server, version, auth, child };
  const fetch = (onExceeded: (why: string) => void) => fetchFor(server, onExceeded);
  return connectServer({ ...options, ...shared, fetch });
}
