import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import type { Contents } from '../../modules/content/contents.ts';
import {
  type Account,
  anonymousCaller,
  type Caller,
  embeddedCaller,
  signedInCaller,
} from '../../modules/identity/caller.ts';
import type { ProxySignIn } from '../../modules/identity/proxy/proxy-sign-in.ts';
import { addressBlock } from '../address-block.ts';
import { isFromTrustedProxy } from '../request-log-fields.ts';

export interface ProxiedDependencies {
  proxySignIn: ProxySignIn;
  contents: () => Contents;
  trustProxy: boolean | number | string;
}

/**
 * The session of the user whom a trusted reverse proxy names in this request's headers. Undefined if it names
 * none.
 */
export async function findProxiedSession(
  { proxySignIn, contents, trustProxy }: ProxiedDependencies,
  request: Request,
  app: string | undefined,
) {
  if (!proxySignIn.isOn()) {
    return undefined;
  }
  const findAccount = () =>
    proxySignIn.accountOf({
      headersDistinct: request.headersDistinct,
      isTrusted: typeof trustProxy === 'string' && isFromTrustedProxy(request),
      address: addressBlock(request),
    });
  const callerOf = (account: Account): Caller => {
    const caller = signedInCaller(account, contents());
    return app === undefined ? caller : embeddedCaller(caller, app);
  };
  const account = await findAccount();
  if (account === undefined) {
    return undefined;
  }
  const callerNow = async () => {
    const now = await findAccount();
    if (!now) {
      throw problem('not-signed-in', 'You no longer have access. Ask an administrator.');
    }
    return callerOf(now);
  };
  const createAnonymous = () => anonymousCaller(`anonymous:${randomUUID()}`, contents(), false);
  const caller = account === null ? createAnonymous() : callerOf(account);
  const rest = { sessionId: undefined, renewed: undefined, isNewVisitor: account === null, app };
  return { caller, callerNow, ...rest };
}
