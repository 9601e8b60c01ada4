import type { Request } from 'express';
import type { Authenticator } from '../../../platform/http/authenticator.ts';
import { getBearerToken } from '../../../platform/http/bearer-token.ts';
import type { Contents } from '../../content/contents.ts';
import type { ApiKeys } from '../api-keys.ts';
import { keyCaller, serviceCaller } from '../caller.ts';
import { isApiKey } from '../key-secret.ts';
import type { ServiceKeys } from '../service-keys.ts';
import { createProgramSession } from './program-session.ts';

export interface ApiKeyDependencies {
  apiKeys: Pick<ApiKeys, 'find'>;
  serviceKeys: Pick<ServiceKeys, 'find'>;
  contents: () => Contents;
}

/** API keys of users and service keys, in the Authorization header. */
export function apiKeyAuthenticator({
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
  return isApiKey(authorization) ? (getBearerToken(request) ?? '') : undefined;
}
