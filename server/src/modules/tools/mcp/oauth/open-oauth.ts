import type { Cluster } from '../../../../platform/cluster/cluster.ts';
import { createSeal } from '../../../../platform/lib/seal.ts';
import type { Database } from '../../../../platform/storage/open-database.ts';
import type { UserAuth } from '../server-session.ts';
import type { ClientIdentity } from './oauth-client.ts';
import { endConnection } from './oauth-revoke.ts';
import type { OAuthServer } from './oauth-server.ts';
import { beginSignIn, endSignIn, type SignInAnswer } from './oauth-sign-in.ts';
import { type Connection, createOAuthStore } from './oauth-store.ts';
import { tokensFor } from './oauth-tokens.ts';

/** Users' sign-ins to tool servers. Loads the MCP library on first use. */
export interface OAuthConnections {
  /** Resolves with the authorization URL for the user's browser. Throws a problem. */
  begin(user: string, server: OAuthServer, introduction: ClientIdentity): Promise<string>;
  /**
   * Completes a sign-in with the redirect's parameters. Resolves with the server's ID. Throws a
   * problem.
   */
  end(user: string, answer: SignInAnswer): Promise<string>;
  list(user: string): Promise<Connection[]>;
  /** Resolves with whether the issuer revoked the tokens as well. */
  remove(user: string, server: string): Promise<boolean>;
  /** For a connection's transport. Throws `SignInRequired` if the user has to sign in. */
  tokensFor(user: string, server: OAuthServer): UserAuth;
}

interface Dependencies {
  database: Database;
  cluster: Pick<Cluster, 'withLock'>;
  /** Guarded against SSRF. */
  fetch: typeof fetch;
  /** 32 bytes. */
  secretKey: Uint8Array;
}

export function openOAuth({ database, cluster, fetch, secretKey }: Dependencies): OAuthConnections {
  const store = createOAuthStore(database, createSeal(secretKey, 'sign-ins to servers of tools'));
  const signingIn = { store, fetch, withLock: cluster.withLock };
  return {
    begin: (user, server, introduction) => beginSignIn(user, server, introduction, signingIn),
    end: (user, answer) => endSignIn(user, answer, signingIn),
    list: store.list,
    remove: (user, server) => endConnection(user, server, signingIn),
    tokensFor: (user, server) => tokensFor(user, server, signingIn),
  };
}
