import type { Authenticator } from '../../../platform/http/authenticator.ts';
import { type AccessTokenDependencies, accessTokenAuthenticator } from './access-token.ts';
import { type ApiKeyDependencies, apiKeyAuthenticator } from './api-key.ts';
import { type ProxyHeaderDependencies, proxyHeaderAuthenticator } from './proxy-header.ts';
import { type SessionCookieDependencies, sessionCookieAuthenticator } from './session-cookie.ts';
import { type VisitorDependencies, visitorAuthenticator } from './visitor.ts';

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
