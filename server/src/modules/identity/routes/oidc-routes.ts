import { oidcApi, type SignInError } from '@knowhow/shared/access/oidc';
import { problem } from '@knowhow/shared/problem';
import express, { type Request, type Response, type Router } from 'express';
import { addressBlock } from '../../../platform/http/address-block.ts';
import { getCookie } from '../../../platform/http/get-cookie.ts';
import { getLogFields } from '../../../platform/http/request-log-fields.ts';
import { parseCall, register, route } from '../../../platform/http/route.ts';
import type { Log } from '../../../platform/lib/log.ts';
import { getSessionOrigin } from '../authenticators/session-origin.ts';
import type { NamedUser } from '../identity.ts';
import { pendingSeconds } from '../oidc/authorize-at-provider.ts';
import type { OidcProvider } from '../oidc/oidc-providers.ts';
import type { OidcSignIn } from '../oidc/open-oidc.ts';
import { SignInRefused } from '../oidc/sign-in-refused.ts';
import { getBaseUrl, getSafeReturnPath } from './base-url.ts';
import { type BeginSessionDependencies, beginSession } from './begin-session.ts';

interface Dependencies extends BeginSessionDependencies {
  oidc: OidcSignIn;
  publicUrl: string | undefined;
  log: Log;
}

/**
 * Routes for sign-in at identity providers (OpenID Connect). The sign-in page shows errors in the user's
 * language.
 */
export function oidcRoutes(router: Router, dependencies: Dependencies): void {
  const { oidc, contents, sessionCookies, publicUrl, log } = dependencies;
  logoutRoutes(router, dependencies);

  route(router, oidcApi.ways, () => ({
    password: contents().platform.localAuth.enabled,
    providers: oidc.offered(),
  }));

  register(router, oidcApi.begin, async (request, response) => {
    const { params, query } = parseCall(oidcApi.begin, request, response);
    const provider = findProvider(oidc, params.provider);
    const returnTo = getSafeReturnPath(query.returnTo);
    const redirectUrl = callbackUrl(getBaseUrl(request, publicUrl), provider);
    try {
      const { url, state, pending } = await oidc.begin(provider, { redirectUrl, returnTo });
      log.debug({ ...getLogFields(request), provider: provider.name }, 'sign-in started');
      const { name, options } = pendingCookie(sessionCookies.isSecure(request), state);
      response.cookie(name, pending, { ...options, maxAge: pendingSeconds * 1000 });
      response.redirect(303, url);
    } catch (error) {
      await redirectToError(dependencies, { request, response, provider, returnTo }, error);
    }
  });

  register(router, oidcApi.callback, async (request, response) => {
    const { params, query } = parseCall(oidcApi.callback, request, response);
    const provider = findProvider(oidc, params.provider);
    const cookie = pendingCookie(sessionCookies.isSecure(request), query.state ?? '');
    const kept = getCookie(request, cookie.name);
    const { searchParams: said } = new URL(request.originalUrl, 'http://own');
    try {
      const { account, returnTo, ...begun } = await oidc.end(provider, {
        kept,
        query: said,
        from: getSessionOrigin(request),
      });
      log.debug({ ...getLogFields(request), provider: provider.name }, 'sign-in verified');
      const by = { ...begun, provider: provider.name };
      await beginSession(dependencies, { request, response }, account, by);
      response.clearCookie(cookie.name, cookie.options);
      response.redirect(303, returnTo);
    } catch (error) {
      const returnTo = oidc.returnTo(provider, kept) ?? '/';
      response.clearCookie(cookie.name, cookie.options);
      await redirectToError(dependencies, { request, response, provider, returnTo }, error);
    }
  });
}

/** Routes for back-channel and front-channel logout, initiated by the identity provider. */
function logoutRoutes(router: Router, dependencies: Dependencies): void {
  const { oidc, signInAudit, log } = dependencies;
  const record = async (request: Request, { name }: OidcProvider, ended: NamedUser[]) => {
    for (const user of new Map(ended.map((each) => [each.id, each])).values()) {
      await signInAudit.signedOut(user, addressBlock(request), name);
    }
  };

  router.post(oidcApi.logout.path, express.urlencoded({ extended: false, limit: '64kb' }));
  route(router, oidcApi.logout, async ({ params, body, request }) => {
    const provider = findProvider(oidc, params.provider);
    try {
      await record(request, provider, await oidc.endByToken(provider, body.logout_token));
    } catch (error) {
      log.warn({ provider: provider.name, error }, 'a logout token was rejected');
      throw problem('invalid-request', 'This logout token is invalid.', { cause: error });
    }
  });

  register(router, oidcApi.logoutFrame, async (request, response) => {
    const { params, query } = parseCall(oidcApi.logoutFrame, request, response);
    const provider = findProvider(oidc, params.provider);
    if (query.sid !== undefined && query.iss !== undefined) {
      await record(request, provider, await oidc.endBySid(provider, query.iss, query.sid));
    }
    // The identity provider embeds this empty page in a frame.
    const { origin } = new URL(provider.issuer);
    response.removeHeader('X-Frame-Options');
    response.set('Content-Security-Policy', `default-src 'none'; frame-ancestors ${origin}`);
    response.type('html').send('');
  });
}

/** The redirect URI, to be registered at the identity provider. */
export function callbackUrl(base: string, { name }: Pick<OidcProvider, 'name'>): string {
  return new URL(oidcApi.callback.path.replace(':provider', encodeURIComponent(name)), base).href;
}

/** The back-channel logout URI, to be registered at the identity provider. */
export function logoutUrl(base: string, { name }: Pick<OidcProvider, 'name'>): string {
  return new URL(oidcApi.logout.path.replace(':provider', encodeURIComponent(name)), base).href;
}

function findProvider(oidc: OidcSignIn, name: string): OidcProvider {
  const provider = oidc.providers().find((each) => each.name === name);
  if (!provider) {
    throw problem('not-found', `There is no sign-in provider "${name.slice(0, 60)}".`);
  }
  return provider;
}

interface SignInRequest {
  request: Request;
  response: Response;
  provider: OidcProvider;
}

async function redirectToError(
  { signInAudit, log }: Dependencies,
  { request, response, provider, returnTo }: SignInRequest & { returnTo: string },
  error: unknown,
): Promise<void> {
  if (!(error instanceof SignInRefused)) {
    throw error;
  }
  const { reason, username = '*' } = error;
  log.warn({ provider: provider.name, reason, detail: error.message }, 'a sign-in was rejected');
  await signInAudit.refused(username, addressBlock(request), `${provider.name}: ${reason}`);
  response.redirect(303, signInPage(provider, reason, returnTo));
}

function signInPage({ name }: OidcProvider, error: SignInError, returnTo: string): string {
  const query = new URLSearchParams({ error, provider: name });
  if (returnTo !== '/') {
    query.set('returnTo', returnTo);
  }
  return `/login?${query}`;
}

/**
 * One cookie per pending sign-in, so that tabs do not interfere. Over https, the `__Host-` prefix keeps other
 * hosts of the domain from setting it (login CSRF).
 */
function pendingCookie(isSecure: boolean, state: string) {
  const prefix = isSecure ? '__Host-' : '';
  return {
    name: `${prefix}knowhow_oidc_${state.replaceAll(/[^\w-]/g, '').slice(0, 12)}`,
    options: {
      httpOnly: true,
      sameSite: 'lax' as const,
      secure: isSecure,
      // The `__Host-` prefix requires the path `/`.
      path: isSecure ? '/' : '/api/auth/oidc',
    },
  };
}
