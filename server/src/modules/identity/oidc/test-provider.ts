import type { ProviderTest } from '@knowhow/shared/access/admin-sign-in';
import { describeError, type OidcClients } from './oidc-client.ts';
import type { OidcProvider } from './oidc-providers.ts';

/** Loads a provider's metadata and reports what it supports. Does not try to sign in. */
export async function testProvider(
  provider: OidcProvider,
  clients: OidcClients,
): Promise<ProviderTest> {
  const begin = Date.now();
  try {
    const found = await clients.discover(provider, 0);
    const has = (value: unknown) => value !== undefined && value !== false;
    const { scopes_supported: scopes } = found;
    const wanted = provider.scope.split(' ');
    const offers: [ProviderTest['offers'][number], boolean][] = [
      ['pkce', found.code_challenge_methods_supported?.includes('S256') ?? false],
      ['iss', has(found.authorization_response_iss_parameter_supported)],
      ['userinfo', has(found.userinfo_endpoint)],
      ['sign-out', has(found.end_session_endpoint)],
      ['back-channel', has(found.backchannel_logout_supported)],
    ];
    return {
      ok: true,
      ms: Date.now() - begin,
      offers: offers.flatMap(([name, isThere]) => (isThere ? [name] : [])),
      unknownScopes: scopes === undefined ? [] : wanted.filter((each) => !scopes.includes(each)),
    };
  } catch (error) {
    const ms = Date.now() - begin;
    return { ok: false, message: describeError(error), ms, offers: [], unknownScopes: [] };
  }
}
