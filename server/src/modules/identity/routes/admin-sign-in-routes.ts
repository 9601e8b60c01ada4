import { adminSignInApi, type ShownProvider } from '@knowhow/shared/access/admin-sign-in';
import type { OidcProviderConfig } from '@knowhow/shared/access/sign-in-config';
import { problem } from '@knowhow/shared/problem';
import type { Request, Router } from 'express';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import { oidcProviders, shownScope } from '../oidc/oidc-providers.ts';
import type { OidcSignIn } from '../oidc/open-oidc.ts';
import { testProvider } from '../oidc/test-provider.ts';
import { tryClaims } from '../oidc/try-claims.ts';
import { getBaseUrl } from './base-url.ts';
import { callbackUrl, logoutUrl } from './oidc-routes.ts';

interface Dependencies {
  oidc: OidcSignIn;
  contents: () => Contents;
  variables: Record<string, string | undefined>;
  database: Database;
  publicUrl: string | undefined;
  trustProxy: boolean | number | string;
  audit: AuditLog;
}

/** Routes that show administrators how users of identity providers sign in. */
export function adminSignInRoutes(router: Router, dependencies: Dependencies): void {
  const { oidc, contents } = dependencies;
  const findProvider = (name: string) => {
    const provider = oidc.providers().find((each) => each.name === name);
    if (!provider) {
      throw problem('not-found', `No usable provider is called "${name}".`);
    }
    return provider;
  };

  route(router, adminSignInApi.state, ({ request }) => {
    const { platform, groups } = contents();
    const { faults } = oidcProviders(platform, dependencies.variables);
    const { oidcAuth } = platform;
    const isOff = (config: OidcProviderConfig) =>
      oidcAuth?.enabled === false || config.enabled === false;
    const proxy = proxyState(dependencies);
    return {
      providers: (oidcAuth?.providers ?? []).map((config, index) =>
        describeProvider(config, {
          allowsSignup: config.allowSelfSignup ?? oidcAuth?.allowSelfSignup ?? false,
          fault: isOff(config) ? 'off' : faults.find((each) => each.index === index)?.message,
          addresses: getAddresses(config, request, dependencies),
        }),
      ),
      ...(proxy && { proxy }),
      mappings: [...groups.values()].flatMap(({ id, name, mappings = [] }) =>
        mappings.length === 0 ? [] : [{ group: id, name, names: mappings }],
      ),
    };
  });

  route(router, adminSignInApi.test, async ({ caller, params }) => {
    const provider = findProvider(params.provider);
    const what = { kind: 'settings' as const, target: params.provider };
    await dependencies.audit.record({ by: caller, action: 'tested', ...what });
    return testProvider(provider, oidc.clients);
  });

  route(router, adminSignInApi.claims, ({ params, body }) =>
    tryClaims(findProvider(params.provider), body.claims, dependencies),
  );
}

function describeProvider(
  config: OidcProviderConfig,
  { allowsSignup, fault, addresses }: Pick<ShownProvider, 'allowsSignup' | 'fault' | 'addresses'>,
): ShownProvider {
  const { name, issuer, clientId, clientSecretEnv, allow, mcpAudience } = config;
  return {
    name,
    title: config.displayName ?? name,
    ...(issuer === undefined ? {} : { issuer }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecretEnv === undefined ? {} : { secretEnv: clientSecretEnv }),
    scope: shownScope(config),
    groupsAttribute: config.groupsAttribute ?? 'groups',
    defaultGroups: config.defaultGroups ?? [],
    ...(allow && { allow: { groups: allow.groups ?? [], emails: allow.emails ?? [] } }),
    allowsSignup,
    rpInitiatedLogout: config.signOutThere ?? false,
    ...(mcpAudience === undefined ? {} : { mcpAudience }),
    ...(fault === undefined ? {} : { fault }),
    ...(addresses && { addresses }),
  };
}

/** Callback and logout URLs; undefined if the public address is unknown. */
function getAddresses(
  config: OidcProviderConfig,
  request: Request,
  { publicUrl }: Dependencies,
): ShownProvider['addresses'] {
  try {
    const base = getBaseUrl(request, publicUrl);
    return { callback: callbackUrl(base, config), logout: logoutUrl(base, config) };
  } catch {
    return undefined;
  }
}

function proxyState({ contents, trustProxy }: Dependencies) {
  const { proxyAuth } = contents().platform;
  if (proxyAuth?.enabled !== true) {
    return undefined;
  }
  const { displayName, userHeader = 'X-Forwarded-User', jwtProviders = [] } = proxyAuth;
  return {
    title: displayName ?? 'proxy',
    signed: jwtProviders.map(({ header, issuer, audience }) => ({ header, issuer, audience })),
    userHeader,
    isTrusted: typeof trustProxy === 'string',
  };
}
