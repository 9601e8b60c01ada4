import { randomUUID } from 'node:crypto';
import { mcpApi } from '@knowhow/shared/config/mcp';
import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { addressBlock } from '../../../platform/http/address-block.ts';
import type { Authenticator, Session } from '../../../platform/http/authenticator.ts';
import { getBearerToken } from '../../../platform/http/bearer-token.ts';
import { isFromTrustedProxy } from '../../../platform/http/trusted-proxy.ts';
import type { Contents } from '../../content/index.ts';
import type { Accounts } from '../accounts.ts';
import type { ApiKeys } from '../api-keys.ts';
import {
  type Account,
  anonymousAllowed,
  anonymousCaller,
  type Caller,
  keyCaller,
  serviceCaller,
  signedInCaller,
} from '../caller.ts';
import { isApiKey } from '../key-secret.ts';
import type { OidcSignIn } from '../oidc/open-oidc.ts';
import type { ProxySignIn } from '../proxy/proxy-sign-in.ts';
import type { ServiceKeys } from '../service-keys.ts';
import { getEmbeddedApp, restrictToApp } from './embedded-app.ts';
import type { SessionCookies } from './session-cookies.ts';

export interface AuthenticatorDependencies
  extends ApiKeyDependencies,
    AccessTokenDependencies,
    ProxyHeaderDependencies,
    SessionCookieDependencies,
    VisitorDependencies {}

/** All ways to identify callers. The first that applies to a request decides. */
export function createAuthenticators(
  dependencies: AuthenticatorDependencies,
): readonly Authenticator[] {
  return [
    apiKeyAuthenticator(dependencies),
    accessTokenAuthenticator(dependencies),
    proxyHeaderAuthenticator(dependencies),
    sessionCookieAuthenticator(dependencies),
    visitorAuthenticator(dependencies),
  ];
}

interface AccessTokenDependencies {
  oidc: Pick<OidcSignIn, 'accountOfToken'>;
  contents: () => Contents;
}

/** Access tokens that an identity provider issued for `/mcp`, their only valid audience. */
function accessTokenAuthenticator({ oidc, contents }: AccessTokenDependencies): Authenticator {
  return {
    authenticate: async (request) => {
      const token = request.baseUrl === mcpApi.call.path ? getBearerToken(request) : undefined;
      const account = token === undefined ? undefined : await oidc.accountOfToken(token);
      if (token === undefined || account === undefined) {
        return undefined;
      }
      return createProgramSession(async () => {
        const holder = await oidc.accountOfToken(token);
        return holder
          ? keyCaller({ account: holder, scopes: new Set(['mcp']) }, contents())
          : undefined;
      }, contents);
    },
  };
}

interface ApiKeyDependencies {
  apiKeys: Pick<ApiKeys, 'find'>;
  serviceKeys: Pick<ServiceKeys, 'find'>;
  contents: () => Contents;
}

/** API keys of users and service keys, in the Authorization header; for git also as a password. */
function apiKeyAuthenticator({
  apiKeys,
  serviceKeys,
  contents,
}: ApiKeyDependencies): Authenticator {
  const find = async (key: string) => {
    const holder = await apiKeys.find(key);
    if (holder) {
      return keyCaller(holder, contents());
    }
    const service = await serviceKeys.find(key);
    return service && serviceCaller(service, contents());
  };
  return {
    authenticate: async (request) => {
      const key = getApiKey(request);
      return key === undefined ? undefined : createProgramSession(() => find(key), contents);
    },
  };
}

/** The API key. '' for a malformed header: it matches no key and does not fall back to anonymous. */
function getApiKey(request: Request): string | undefined {
  const { authorization = '' } = request.headers;
  const password = request.baseUrl === gitPath ? getBasicPassword(authorization) : '';
  if (isApiKey(password)) {
    return password;
  }
  return isApiKey(authorization) ? (getBearerToken(request) ?? '') : undefined;
}

/** Below it, keys are passwords: git sends no other credentials. */
const gitPath = '/git';

/** The password in `Authorization: Basic`; '' if there is none. */
function getBasicPassword(authorization: string): string {
  const encoded = /^Basic[ \t]+(\S+)$/i.exec(authorization)?.[1] ?? '';
  return /:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1] ?? '';
}

interface SessionCookieDependencies {
  accounts: Pick<Accounts, 'findBySession'>;
  sessionCookies: SessionCookies;
  contents: () => Contents;
}

/** Signed-in users, by the cookie of their session or of an app's embedded chat. */
function sessionCookieAuthenticator({
  accounts,
  sessionCookies,
  contents,
}: SessionCookieDependencies): Authenticator {
  return {
    authenticate: async (request) => {
      const { claims, renew } = sessionCookies.read(request);
      if (claims?.kind !== 'user') {
        return undefined;
      }
      const { sessionId: id } = claims;
      const app = getEmbeddedApp(request);
      const createCaller = (account: Account) =>
        restrictToApp(signedInCaller(account, contents()), app);
      const account = await accounts.findBySession(id);
      if (!account) {
        return undefined;
      }
      return {
        id,
        caller: createCaller(account),
        isNew: false,
        setCookies: renew,
        recheck: async () => {
          const now = await accounts.findBySession(id);
          if (!now) {
            throw problem('not-signed-in', 'You are no longer signed in. Sign in and try again.');
          }
          return createCaller(now);
        },
      };
    },
  };
}

interface ProxyHeaderDependencies {
  proxySignIn: ProxySignIn;
  contents: () => Contents;
  trustProxy: boolean | number | string;
}

/** Headers in which a trusted reverse proxy names the user. */
function proxyHeaderAuthenticator({
  proxySignIn,
  contents,
  trustProxy,
}: ProxyHeaderDependencies): Authenticator {
  return {
    authenticate: async (request) => {
      if (!proxySignIn.isOn()) {
        return undefined;
      }
      const findAccount = () =>
        proxySignIn.accountOf({
          headersDistinct: request.headersDistinct,
          isTrusted: typeof trustProxy === 'string' && isFromTrustedProxy(request),
          address: addressBlock(request),
        });
      const app = getEmbeddedApp(request);
      const createCaller = (account: Account) =>
        restrictToApp(signedInCaller(account, contents()), app);
      const account = await findAccount();
      if (account === undefined) {
        return undefined;
      }
      return {
        caller: account === null ? createRejectedCaller(contents()) : createCaller(account),
        isNew: account === null,
        recheck: async () => {
          const now = await findAccount();
          if (!now) {
            throw problem('not-signed-in', 'You no longer have access. Ask an administrator.');
          }
          return createCaller(now);
        },
      };
    },
  };
}

/**
 * The session of a program. Unknown credentials are rejected, never treated as an anonymous visitor.
 *
 * @param find the current caller; undefined if the credentials are invalid
 */
async function createProgramSession(
  find: () => Promise<Caller | undefined>,
  contents: () => Contents,
): Promise<Session> {
  const found = await find();
  return {
    caller: found ?? createRejectedCaller(contents()),
    isNew: found === undefined,
    recheck: async () => {
      const caller = await find();
      if (!caller) {
        throw problem('not-signed-in', 'This key or token is no longer valid. Use another one.');
      }
      return caller;
    },
  };
}

/** The caller of a request with wrong credentials: may use nothing. */
function createRejectedCaller(contents: Contents): Caller {
  return anonymousCaller(`anonymous:${randomUUID()}`, contents, false);
}

interface VisitorDependencies {
  sessionCookies: SessionCookies;
  contents: () => Contents;
  /** Listen address: decides on anonymous access if that is not configured. */
  host: string;
}

const cookieSeconds = 365 * 24 * 3600;

/** A visitor without an account, recognized by a cookie. Applies to every request. */
function visitorAuthenticator({
  sessionCookies,
  contents,
  host,
}: VisitorDependencies): Authenticator {
  return {
    authenticate: async (request) => {
      const { claims, renew } = sessionCookies.read(request);
      const app = getEmbeddedApp(request);
      const known = claims?.kind === 'anonymous' ? claims.visitorId : undefined;
      const visitorId = known ?? randomUUID();
      const createCaller = () => {
        const isAllowed = anonymousAllowed(contents(), host);
        return restrictToApp(anonymousCaller(`anonymous:${visitorId}`, contents(), isAllowed), app);
      };
      const caller = createCaller();
      const isNew = known === undefined;
      return {
        caller,
        isNew,
        setCookies: (response) => {
          renew?.(response);
          if (isNew && caller.mayUse) {
            const visitor = { kind: 'anonymous' as const, visitorId, app };
            sessionCookies.set(response, { claims: visitor, seconds: cookieSeconds, app });
          }
        },
        recheck: async () => {
          const now = createCaller();
          if (!now.mayUse) {
            throw problem(
              'not-signed-in',
              'Anonymous access is now disabled. Sign in and try again.',
            );
          }
          return now;
        },
      };
    },
  };
}
