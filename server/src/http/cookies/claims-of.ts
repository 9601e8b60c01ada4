import type { Request } from 'express';
import type { SessionTokens } from '../../access/session-tokens.ts';
import { bearerOf } from './bearer-of.ts';
import { cookieOf } from './cookie-of.ts';
import { embeddedCookie } from './embedded-app.ts';

export const plainCookie = 'knowhow_session';
/** For https: browsers accept this prefix only from this exact host over https. */
export const secureCookie = '__Host-knowhow_session';

/**
 * Over https only the prefixed cookie counts. A cookie without the prefix could come from another host of the
 * domain, or from an attacker on the network. It counts only if its token predates the prefix. In an app's
 * frame, only that frame's cookie counts, and nowhere else.
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
