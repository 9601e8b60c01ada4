import { problem } from '@knowhow/shared/problem';
import { addressBlock } from '../../../platform/http/address-block.ts';
import type { Authenticator } from '../../../platform/http/authenticator.ts';
import { isFromTrustedProxy } from '../../../platform/http/trusted-proxy.ts';
import type { Contents } from '../../content/contents.ts';
import { type Account, signedInCaller } from '../caller.ts';
import type { ProxySignIn } from '../proxy/proxy-sign-in.ts';
import { getEmbeddedApp, restrictToApp } from './embedded-app.ts';
import { createRejectedCaller } from './program-session.ts';

export interface ProxyHeaderDependencies {
  proxySignIn: ProxySignIn;
  contents: () => Contents;
  trustProxy: boolean | number | string;
}

/** Headers in which a trusted reverse proxy names the user. */
export function proxyHeaderAuthenticator({
  proxySignIn,
  contents,
  trustProxy,
}: ProxyHeaderDependencies): Authenticator {
  return {
    authenticate: async (request) => {
      if (!proxySignIn.isOn()) {
        return undefined;
      }
      const findAccount = () =>
        proxySignIn.accountOf({
          headersDistinct: request.headersDistinct,
          isTrusted: typeof trustProxy === 'string' && isFromTrustedProxy(request),
          address: addressBlock(request),
        });
      const app = getEmbeddedApp(request);
      const createCaller = (account: Account) =>
        restrictToApp(signedInCaller(account, contents()), app);
      const account = await findAccount();
      if (account === undefined) {
        return undefined;
      }
      return {
        caller: account === null ? createRejectedCaller(contents()) : createCaller(account),
        isNew: account === null,
        recheck: async () => {
          const now = await findAccount();
          if (!now) {
            throw problem('not-signed-in', 'You no longer have access. Ask an administrator.');
          }
          return createCaller(now);
        },
      };
    },
  };
}
