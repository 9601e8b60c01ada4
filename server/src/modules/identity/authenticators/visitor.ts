import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import type { Authenticator } from '../../../platform/http/authenticator.ts';
import type { Contents } from '../../content/index.ts';
import { anonymousAllowed, anonymousCaller } from '../caller.ts';
import { getEmbeddedApp, restrictToApp } from './embedded-app.ts';
import type { SessionCookies } from './session-cookies.ts';

export interface VisitorDependencies {
  sessionCookies: SessionCookies;
  contents: () => Contents;
  /** Listen address: decides on anonymous access if that is not configured. */
  host: string;
}

const cookieSeconds = 365 * 24 * 3600;

/** A visitor without an account, recognized by a cookie. Applies to every request. */
export function visitorAuthenticator({
  sessionCookies,
  contents,
  host,
}: VisitorDependencies): Authenticator {
  return {
    authenticate: async (request) => {
      const { claims, renew } = sessionCookies.read(request);
      const app = getEmbeddedApp(request);
      const known = claims?.kind === 'anonymous' ? claims.visitorId : undefined;
      const visitorId = known ?? randomUUID();
      const createCaller = () => {
        const isAllowed = anonymousAllowed(contents(), host);
        return restrictToApp(anonymousCaller(`anonymous:${visitorId}`, contents(), isAllowed), app);
      };
      const caller = createCaller();
      const isNew = known === undefined;
      return {
        caller,
        isNew,
        setCookies: (response) => {
          renew?.(response);
          if (isNew && caller.mayUse) {
            const visitor = { kind: 'anonymous' as const, visitorId, app };
            sessionCookies.set(response, { claims: visitor, seconds: cookieSeconds, app });
          }
        },
        recheck: async () => {
          const now = createCaller();
          if (!now.mayUse) {
            throw problem(
              'not-signed-in',
              'Anonymous access is now disabled. Sign in and try again.',
            );
          }
          return now;
        },
      };
    },
  };
}
