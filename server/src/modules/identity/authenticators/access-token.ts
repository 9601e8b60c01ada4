import { mcpApi } from '@knowhow/shared/config/mcp';
import type { Authenticator } from '../../../platform/http/authenticator.ts';
import { getBearerToken } from '../../../platform/http/bearer-token.ts';
import type { Contents } from '../../content/contents.ts';
import { keyCaller } from '../caller.ts';
import type { OidcSignIn } from '../oidc/open-oidc.ts';
import { createProgramSession } from './program-session.ts';

export interface AccessTokenDependencies {
  oidc: Pick<OidcSignIn, 'accountOfToken'>;
  contents: () => Contents;
}

/** Access tokens that an identity provider issued for `/mcp`, their only valid audience. */
export function accessTokenAuthenticator({
  oidc,
  contents,
}: AccessTokenDependencies): Authenticator {
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
