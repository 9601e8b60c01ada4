import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenID provider: a real implementation, with development pages that accept any user. */
export interface SignInProvider {
  /** Platform settings for it: a public client with self-signup. */
  settings: Record<string, unknown>;
  stop(): void;
}

/** @param own Knowhow's URL, for redirects back */
export async function startSignInProvider(own: string): Promise<SignInProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { warn } = console;
  // Suppresses warnings about what is intended here: development pages, the runtime, and in-memory storage.
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
        sub: accountId,
        preferred_username: accountId,
        groups: ['staff'],
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
      name: 'company',
      displayName: 'Company account',
      issuer,
      clientId: 'knowhow',
      allowSelfSignup: true,
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
