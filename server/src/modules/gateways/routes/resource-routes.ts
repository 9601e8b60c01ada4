import { mcpApi } from '@knowhow/shared/config/mcp';
import { problem } from '@knowhow/shared/problem';
import type { Request, Router } from 'express';
import { route } from '../../../platform/http/route.ts';
import type { OidcSignIn } from '../../identity/oidc/open-oidc.ts';
import { getBaseUrl } from '../../identity/routes/base-url.ts';

export interface ResourceDependencies {
  oidc: Pick<OidcSignIn, 'tokenIssuers'>;
  publicUrl: string | undefined;
}

/** OAuth protected resource metadata of `/mcp`: which servers issue tokens for it (RFC 9728). */
export function resourceRoutes(
  router: Router,
  { oidc, publicUrl }: ResourceDependencies,
): { metadataOf: (request: Request) => string | undefined } {
  const describe = (request: Request) => {
    const authorization_servers = oidc.tokenIssuers();
    if (authorization_servers.length === 0) {
      throw problem('not-found', 'No identity provider issues tokens for this server.');
    }
    const resource = new URL(mcpApi.call.path, getBaseUrl(request, publicUrl)).href;
    return {
      ...{ resource, authorization_servers, resource_name: 'Knowhow' },
      bearer_methods_supported: ['header'],
    };
  };
  route(router, mcpApi.resource, ({ request }) => describe(request));
  route(router, mcpApi.anyResource, ({ request }) => describe(request));
  return {
    metadataOf: (request) =>
      oidc.tokenIssuers().length === 0
        ? undefined
        : new URL(mcpApi.resource.path, getBaseUrl(request, publicUrl)).href,
  };
}
