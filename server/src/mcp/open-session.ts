import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { isPersonal } from './oauth/sign-in-servers.ts';
import type { Era, McpAuth, McpFetch, ServerSession } from './server-session.ts';

/** What connections to servers are made of. */
export interface SessionParts {
  version: string;
  /**
   * Returns the `fetch` for a server that has an address.
   *
   * @param onExceeded called with a sentence where an answer exceeds a limit
   */
  fetchFor: (server: McpServer, onExceeded: (why: string) => void) => McpFetch;
  /** How a user is signed in to a server, of those to which each of them signs in. */
  authFor?: (server: McpServer, user: string) => McpAuth | undefined;
  /** Where a server that is started here is at home. Makes the folder. */
  homeOf: (server: string) => Promise<string>;
  /** The environment of a server that is started here. */
  childEnvironment: (
    home: string,
    given: Readonly<Record<string, string>>,
  ) => Record<string, string>;
}

interface OpenOptions {
  /** Empty where it is the same for all. */
  user: string;
  signal: AbortSignal;
  verdict: Era | undefined;
  onClosed(why: string | undefined): void;
  onLimit(why: string): void;
  onToolsChanged(): void;
  onPromptsChanged(): void;
}

/** Opens a connection to a server. The library is loaded with the first one. */
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
