import { randomUUID } from 'node:crypto';
import { mcpApi } from '@knowhow/shared/config/mcp';
import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import type { ApiKeys } from '../../access/api-keys.ts';
import { anonymousCaller, type Caller, keyCaller, serviceCaller } from '../../access/caller.ts';
import { isApiKey } from '../../access/key-secret.ts';
import type { OidcSignIn } from '../../access/oidc/open-oidc.ts';
import type { ServiceKeys } from '../../access/service-keys.ts';
import type { Contents } from '../../content/contents.ts';
import { bearerOf } from './bearer-of.ts';

export interface ProgramDependencies {
  apiKeys: ApiKeys;
  serviceKeys: ServiceKeys;
  oidc: Pick<OidcSignIn, 'accountOfToken'>;
  contents: () => Contents;
}

/** Who asks by a program: with a key, or at `/mcp` with an access token; undefined for everybody else. */
export async function programSession(dependencies: ProgramDependencies, request: Request) {
  const key = apiKeyOf(request);
  return key === undefined
    ? sessionByToken(dependencies, request)
    : sessionByKey(dependencies, key);
}

/** A key; '' where one does not stand as it is to: that finds nobody, and makes nobody a guest. */
function apiKeyOf(request: Request): string | undefined {
  const { authorization = '' } = request.headers;
  return isApiKey(authorization) ? (bearerOf(request) ?? '') : undefined;
}

async function sessionByKey(dependencies: ProgramDependencies, key: string) {
  const { apiKeys, serviceKeys, contents } = dependencies;
  return sessionOfProgram(dependencies, async () => {
    const holder = await apiKeys.find(key);
    if (holder) {
      return keyCaller(holder, contents());
    }
    const service = await serviceKeys.find(key);
    return service && serviceCaller(service, contents());
  });
}

/** By an access token that a provider has made for `/mcp`, and good for nothing else; undefined without one. */
async function sessionByToken(dependencies: ProgramDependencies, request: Request) {
  const { oidc, contents } = dependencies;
  const token = request.baseUrl === mcpApi.call.path ? bearerOf(request) : undefined;
  const account = token === undefined ? undefined : await oidc.accountOfToken(token);
  if (token === undefined || account === undefined) {
    return undefined;
  }
  return sessionOfProgram(dependencies, async () => {
    const holder = await oidc.accountOfToken(token);
    return holder
      ? keyCaller({ account: holder, scopes: new Set(['mcp']) }, contents())
      : undefined;
  });
}

/** What is not known makes nobody a guest: whoever sends it is to learn that it is no good. */
async function sessionOfProgram(
  { contents }: ProgramDependencies,
  find: () => Promise<Caller | undefined>,
) {
  const callerNow = async () => {
    const caller = await find();
    if (!caller) {
      throw problem('not-signed-in', 'This key, or token, is not good any more. Get another one.');
    }
    return caller;
  };
  const unknown = () => anonymousCaller(`anonymous:${randomUUID()}`, contents(), false);
  const caller = (await find()) ?? unknown();
  const isNewVisitor = caller.anonymous;
  return { caller, callerNow, sessionId: undefined, renewed: undefined, isNewVisitor };
}
