import { randomUUID } from 'node:crypto';
import { mcpApi } from '@knowhow/shared/config/mcp';
import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import type { Contents } from '../../modules/content/contents.ts';
import type { ApiKeys } from '../../modules/identity/api-keys.ts';
import {
  anonymousCaller,
  type Caller,
  keyCaller,
  serviceCaller,
} from '../../modules/identity/caller.ts';
import { isApiKey } from '../../modules/identity/key-secret.ts';
import type { OidcSignIn } from '../../modules/identity/oidc/open-oidc.ts';
import type { ServiceKeys } from '../../modules/identity/service-keys.ts';
import { getBearerToken } from './bearer-token.ts';

export interface ProgramDependencies {
  apiKeys: ApiKeys;
  serviceKeys: ServiceKeys;
  oidc: Pick<OidcSignIn, 'accountOfToken'>;
  contents: () => Contents;
}

/** The session of a program: by API key, or at `/mcp` by access token. Undefined for other requests. */
export async function findProgramSession(dependencies: ProgramDependencies, request: Request) {
  const key = getApiKey(request);
  return key === undefined
    ? findSessionByToken(dependencies, request)
    : findSessionByKey(dependencies, key);
}

/** The API key. '' for a malformed header: it matches no key and does not fall back to anonymous. */
function getApiKey(request: Request): string | undefined {
  const { authorization = '' } = request.headers;
  return isApiKey(authorization) ? (getBearerToken(request) ?? '') : undefined;
}

async function findSessionByKey(dependencies: ProgramDependencies, key: string) {
  const { apiKeys, serviceKeys, contents } = dependencies;
  return createProgramSession(dependencies, async () => {
    const holder = await apiKeys.find(key);
    if (holder) {
      return keyCaller(holder, contents());
    }
    const service = await serviceKeys.find(key);
    return service && serviceCaller(service, contents());
  });
}

/**
 * The session of an access token that an identity provider issued for `/mcp`, its only valid audience.
 * Undefined without one.
 */
async function findSessionByToken(dependencies: ProgramDependencies, request: Request) {
  const { oidc, contents } = dependencies;
  const token = request.baseUrl === mcpApi.call.path ? getBearerToken(request) : undefined;
  const account = token === undefined ? undefined : await oidc.accountOfToken(token);
  if (token === undefined || account === undefined) {
    return undefined;
  }
  return createProgramSession(dependencies, async () => {
    const holder = await oidc.accountOfToken(token);
    return holder
      ? keyCaller({ account: holder, scopes: new Set(['mcp']) }, contents())
      : undefined;
  });
}

/** An unknown key is rejected, never treated as anonymous. */
async function createProgramSession(
  { contents }: ProgramDependencies,
  find: () => Promise<Caller | undefined>,
) {
  const callerNow = async () => {
    const caller = await find();
    if (!caller) {
      throw problem('not-signed-in', 'This key or token is no longer valid. Use another one.');
    }
    return caller;
  };
  const unknown = () => anonymousCaller(`anonymous:${randomUUID()}`, contents(), false);
  const caller = (await find()) ?? unknown();
  const isNewVisitor = caller.anonymous;
  return { caller, callerNow, sessionId: undefined, renewed: undefined, isNewVisitor };
}
