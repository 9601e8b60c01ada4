import type { Request } from 'express';
import type { SessionTokens } from '../../access/session-tokens.ts';
import { bearerOf } from './bearer-of.ts';
import { cookieOf } from './cookie-of.ts';
import { embeddedCookie } from './embedded-app.ts';

export const plainCookie = 'knowhow_session';
/** By https: with this prefix browsers take it from this very host by https only. */
export const secureCookie = '__Host-knowhow_session';

/**
 * By https the cookie with the prefix counts. One without it could be from another host of the domain, or
 * from whoever sits on the line: it counts only if its token is of a version that knew no prefix. In the frame of
 * an app the cookie of that frame counts alone, and nowhere else.
 */
export function claimsOf(
  request: Request,
  tokens: SessionTokens,
  { isSecure, app }: { isSecure: boolean; app: string | undefined },
) {
  const verified = (token: string | undefined) => {
    const claims = token === undefined ? undefined : tokens.verify(token);
    return claims?.kind !== 'handed-over' && claims?.app === app ? claims : undefined;
  };
  if (app !== undefined) {
    return { claims: verified(cookieOf(request, embeddedCookie(app).name)), renewed: undefined };
  }
  const own = bearerOf(request) ?? cookieOf(request, isSecure ? secureCookie : plainCookie);
  if (own !== undefined || !isSecure) {
    return { claims: verified(own), renewed: undefined };
  }
  const token = cookieOf(request, plainCookie);
  const claims = verified(token);
  if (token === undefined || claims?.version !== 1) {
    return { claims: undefined, renewed: undefined };
  }
  const seconds = Math.max(1, Math.floor(claims.exp - Date.now() / 1000));
  return { claims, renewed: { token, seconds } };
}
