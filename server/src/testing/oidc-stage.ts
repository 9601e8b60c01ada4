import { onTestFinished } from 'vitest';
import type { Cluster } from '../platform/cluster/cluster.ts';
import { type AuthorizationServer, startAuthorizationServer } from './authorization-server.ts';
import { freePort } from './free-port.ts';
import { defaultFiles, startTestServer, type TestServer } from './start-test-server.ts';
import type { Files } from './write-files.ts';

/** A browser with cookies that does not follow redirects. */
export interface Browser {
  cookies: Map<string, string>;
  ask(path: string, init?: RequestInit): Promise<Response>;
}

export interface OidcStage {
  server: TestServer;
  issuer: AuthorizationServer;
  browser(): Browser;
  /** Signs in at the provider and returns the final address. */
  signIn(browser: Browser, account?: string, query?: string): Promise<string>;
}

interface Options {
  claims?: (account: string) => Record<string, unknown>;
  provider?: Record<string, unknown>;
  /** Additional providers, in the format of the settings. */
  others?: Record<string, unknown>[];
  platform?: Record<string, unknown>;
  files?: Files;
  environment?: Record<string, string>;
  cluster?: Cluster;
}

const secret = 'the secret of a client, of some length';

/** A server and an identity provider. Both stop with the test. */
export async function openOidcStage(options: Options = {}): Promise<OidcStage> {
  const port = await freePort();
  const own = `http://127.0.0.1:${port}`;
  const claims =
    options.claims ?? ((account) => ({ name: `Dr ${account}`, preferred_username: account }));
  const issuer = await startAuthorizationServer({
    claims,
    clients: [
      {
        client_id: 'knowhow',
        client_secret: secret,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${own}/api/auth/oidc/main/callback`],
        backchannel_logout_uri: `${own}/api/auth/oidc/main/logout`,
        backchannel_logout_session_required: true,
        post_logout_redirect_uris: [`${own}/`],
      },
    ],
  });
  const provider = {
    name: 'main',
    displayName: 'Company account',
    issuer: issuer.issuer,
    clientId: 'knowhow',
    clientSecretEnv: 'OIDC_MAIN_SECRET',
    allowSelfSignup: true,
    ...options.provider,
  };
  const server = await startTestServer({
    port,
    ...(options.cluster && { cluster: options.cluster }),
    files: {
      ...options.files,
      'config/platform.json': {
        ...defaultFiles['config/platform.json'],
        oidcAuth: { providers: [provider, ...(options.others ?? [])] },
        ...options.platform,
      },
    },
    environment: { OIDC_MAIN_SECRET: secret, ...options.environment },
  });
  onTestFinished(server.close);
  return {
    server,
    issuer,
    browser: () => browserAt(server.url),
    signIn: async (browser, account = 'ann', query = '') => {
      const begun = await browser.ask(`/api/auth/oidc/main${query}`);
      const back = await issuer.browse(begun.headers.get('location') ?? '', account);
      const ended = await browser.ask(back.pathname + back.search);
      return ended.headers.get('location') ?? `${ended.status}: ${await ended.text()}`;
    },
  };
}

function browserAt(url: string): Browser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    ask: async (path, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('user-agent', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36');
      headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
      const response = await fetch(url + path, { ...init, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/);
        if (value === '') {
          cookies.delete(name);
        } else {
          cookies.set(name, value);
        }
      }
      return response;
    },
  };
}
