import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { listenOn } from './listen-on.ts';

/** An identity provider on loopback, based on a real implementation. */
export interface AuthorizationServer {
  issuer: string;
  provider: Provider;
  /** The signing key with its ID. */
  key: { privateKey: KeyObject; kid: string };
  /** Rotates the signing key. */
  rotateKey(): Promise<void>;
  /** Requests as method and path, such as `POST /token`. */
  asked: string[];
  /** Handles requests instead of the provider if it returns true. */
  intercept: (handle: (request: IncomingMessage, response: ServerResponse) => boolean) => void;
  /**
   * Plays the browser of a consenting user; resolves with the final redirect.
   *
   * @param account the user; `ann` by default
   */
  browse(url: string, account?: string): Promise<URL>;
}

interface Options {
  accessTokenSeconds?: number;
  hasRegistration?: boolean;
  clients?: Record<string, unknown>[];
  /** Claims of an account besides its subject; none by default. */
  claims?: (account: string) => Record<string, unknown>;
}

/** Shared, since generating a key takes longer than most tests. */
const firstKey = { privateKey: newKey(), kid: 'one' };

function newKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

/** Signs in any user by name, with consent to everything. Stops with the test. */
export async function startAuthorizationServer(
  options: Options = {},
): Promise<AuthorizationServer> {
  const asked: string[] = [];
  let interceptor: Parameters<AuthorizationServer['intercept']>[0] = () => false;
  let provider: Provider | undefined;
  const http = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://host').pathname;
    asked.push(`${request.method} ${path}`);
    if (interceptor(request, response) || !provider) {
      return;
    }
    if (path.startsWith('/interaction/')) {
      void agree(provider, request, response);
      return;
    }
    provider.callback()(request, response);
  });
  const issuer = `http://127.0.0.1:${await listenOn(http)}`;
  const first = await createProvider(issuer, configurationOf(options, firstKey));
  provider = first;
  const server: AuthorizationServer = {
    issuer,
    provider: first,
    key: firstKey,
    rotateKey: async () => {
      server.key = { privateKey: newKey(), kid: randomUUID() };
      server.provider = await createProvider(issuer, configurationOf(options, server.key));
      provider = server.provider;
    },
    asked,
    intercept: (handle) => {
      interceptor = handle;
    },
    browse: (url, account = 'ann') => browse(issuer, url, account),
  };
  return server;
}

/** Suppresses warnings about the runtime and in-memory storage, which are fine in tests. */
async function createProvider(
  issuer: string,
  configuration: Record<string, unknown>,
): Promise<Provider> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    const { default: Provider } = await import('oidc-provider');
    return new Provider(issuer, configuration);
  } finally {
    console.warn = warn;
  }
}

function configurationOf(
  { accessTokenSeconds = 3600, hasRegistration = true, clients = [], claims }: Options,
  { privateKey, kid }: AuthorizationServer['key'],
): Record<string, unknown> {
  const server = {
    scope: 'tools tools:write',
    accessTokenFormat: 'opaque',
  };
  return {
    clients,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', kid }] },
    cookies: { keys: [randomUUID()] },
    // Its default fetch rejects loopback addresses.
    fetch: (url: URL, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, options),
    scopes: ['openid', 'offline_access', 'tools', 'tools:write'],
    ...(claims && { claims: { profile: claimNames, email: ['email', 'email_verified'] } }),
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...claims?.(accountId) }),
    }),
    interactions: {
      url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}`,
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    pkce: { required: () => true },
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 600,
      Session: 86_400,
      Interaction: 600,
      Grant: 86_400,
      RefreshToken: 86_400,
      IdToken: 600,
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: hasRegistration },
      backchannelLogout: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => server,
        useGrantedResource: () => true,
      },
    },
  };
}

const claimNames = ['name', 'preferred_username', 'groups', 'realm_access'];

async function agree(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const { client_id, scope = '', resource } = params as Record<string, string>;
  const accountId = String(request.headers['x-account']);
  const grant = new provider.Grant({ accountId, clientId: client_id ?? '' });
  grant.addOIDCScope(scope);
  if (resource !== undefined) {
    grant.addResourceScope(resource, scope);
  }
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { login: { accountId }, consent });
}

async function browse(issuer: string, first: string, account: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(first);
  while (url.origin === issuer) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, 'x-account': account };
    const answer = await fetch(url, { headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/);
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) {
      throw new Error(`The sign-in stopped with ${answer.status}: ${await answer.text()}`);
    }
    await answer.body?.cancel();
    url = new URL(location, url);
  }
  return url;
}
