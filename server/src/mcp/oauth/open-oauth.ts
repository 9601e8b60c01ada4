import type { Cluster } from '../../cluster/cluster.ts';
import { createSeal } from '../../lib/seal.ts';
import type { Database } from '../../storage/open-database.ts';
import type { UserAuth } from '../server-session.ts';
import type { Introduction } from './oauth-client.ts';
import { endConnection } from './oauth-revoke.ts';
import type { OAuthServer } from './oauth-server.ts';
import { beginSignIn, endSignIn, type SignInAnswer } from './oauth-sign-in.ts';
import { type Connection, createOAuthStore } from './oauth-store.ts';
import { tokensFor } from './oauth-tokens.ts';

/** Users' sign-ins to servers of tools. Loads the library of the protocol when the first one is made. */
export interface OAuthConnections {
  /** Resolves with the address at which the user goes on. Throws a problem. */
  begin(user: string, server: OAuthServer, introduction: Introduction): Promise<string>;
  /** Takes what the browser came back with. Resolves with the server's id. Throws a problem. */
  end(user: string, answer: SignInAnswer): Promise<string>;
  list(user: string): Promise<Connection[]>;
  /** Resolves with whether the issuer has ended it as well. */
  remove(user: string, server: string): Promise<boolean>;
  /** For the transport of a connection: throws `SignInRequired` where the user has to sign in. */
  tokensFor(user: string, server: OAuthServer): UserAuth;
}

interface Dependencies {
  database: Database;
  cluster: Pick<Cluster, 'withLock'>;
  /** Guarded. */
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
