import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where people sign in: a real implementation, with pages of its own on which everybody is who they say. */
export interface SignInProvider {
  /** For the settings: a public client, for which everybody has an account made. */
  settings: Record<string, unknown>;
  stop(): void;
}

/** @param own the address of Knowhow, to which people come back */
export async function startSignInProvider(own: string): Promise<SignInProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { warn } = console;
  // It warns of what is fine here: its own pages, the runtime, and that it forgets all when it ends.
  console.warn = () => undefined;
  const { default: Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'knowhow',
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${own}/api/auth/oidc/company/callback`],
      },
    ],
    cookies: { keys: [randomUUID()] },
    claims: { profile: ['name', 'preferred_username', 'groups'], email: ['email'] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({
        ...{ sub: accountId, preferred_username: accountId, groups: ['staff'] },
        name: `${accountId.charAt(0).toUpperCase()}${accountId.slice(1)} Author`,
      }),
    }),
    pkce: { required: () => true },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  });
  console.warn = warn;
  server.on('request', provider.callback());
  return {
    settings: {
      ...{ name: 'company', displayName: 'Company account', issuer, clientId: 'knowhow' },
      allowSelfSignup: true,
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
