import type { Request } from 'express';
import type { SessionTokens } from '../../modules/identity/session-tokens.ts';
import { getBearerToken } from './bearer-token.ts';
import { getEmbeddedCookie } from './embedded-app.ts';
import { getCookie } from './get-cookie.ts';

export const plainCookieName = 'knowhow_session';
/** For https: browsers accept this prefix only from this exact host over https. */
export const secureCookieName = '__Host-knowhow_session';

/**
 * Over https only the prefixed cookie counts. A cookie without the prefix could come from another host of the
 * domain, or from an attacker on the network. It counts only if its token predates the prefix. In an app's
 * frame, only that frame's cookie counts, and nowhere else.
 */
export function readSessionClaims(
  request: Request,
  tokens: SessionTokens,
  { isSecure, app }: { isSecure: boolean; app: string | undefined },
) {
  const verified = (token: string | undefined) => {
    const claims = token === undefined ? undefined : tokens.verify(token);
    return claims?.kind !== 'handed-over' && claims?.app === app ? claims : undefined;
  };
  if (app !== undefined) {
    return {
      claims: verified(getCookie(request, getEmbeddedCookie(app).name)),
      renewed: undefined,
    };
  }
  const own =
    getBearerToken(request) ?? getCookie(request, isSecure ? secureCookieName : plainCookieName);
  if (own !== undefined || !isSecure) {
    return { claims: verified(own), renewed: undefined };
  }
  const token = getCookie(request, plainCookieName);
  const claims = verified(token);
  if (token === undefined || claims?.version !== 1) {
    return { claims: undefined, renewed: undefined };
  }
  const seconds = Math.max(1, Math.floor(claims.exp - Date.now() / 1000));
  return { claims, renewed: { token, seconds } };
}
