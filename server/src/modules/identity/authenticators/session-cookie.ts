import { problem } from '@knowhow/shared/problem';
import type { Authenticator } from '../../../platform/http/authenticator.ts';
import type { Contents } from '../../content/contents.ts';
import type { Accounts } from '../accounts.ts';
import { type Account, signedInCaller } from '../caller.ts';
import { getEmbeddedApp, restrictToApp } from './embedded-app.ts';
import type { SessionCookies } from './session-cookies.ts';

export interface SessionCookieDependencies {
  accounts: Pick<Accounts, 'findBySession'>;
  sessionCookies: SessionCookies;
  contents: () => Contents;
}

/** Signed-in users, by the cookie of their session or of an app's embedded chat. */
export function sessionCookieAuthenticator({
  accounts,
  sessionCookies,
  contents,
}: SessionCookieDependencies): Authenticator {
  return {
    authenticate: async (request) => {
      const { claims, renew } = sessionCookies.read(request);
      if (claims?.kind !== 'user') {
        return undefined;
      }
      const { sessionId: id } = claims;
      const app = getEmbeddedApp(request);
      const createCaller = (account: Account) =>
        restrictToApp(signedInCaller(account, contents()), app);
      const account = await accounts.findBySession(id);
      if (!account) {
        return undefined;
      }
      return {
        id,
        caller: createCaller(account),
        isNew: false,
        setCookies: renew,
        recheck: async () => {
          const now = await accounts.findBySession(id);
          if (!now) {
            throw problem('not-signed-in', 'You are no longer signed in. Sign in and try again.');
          }
          return createCaller(now);
        },
      };
    },
  };
}
