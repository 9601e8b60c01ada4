import type { CookieOptions, Request, Response } from 'express';
import { getBearerToken } from '../../../platform/http/bearer-token.ts';
import { getCookie } from '../../../platform/http/get-cookie.ts';
import type { SessionClaims, SessionTokens, VerifiedClaims } from '../session-tokens.ts';
import { getEmbeddedApp, getEmbeddedCookie } from './embedded-app.ts';

/** The cookies of signed-in users and visitors. Each embedded app has its own. */
export interface SessionCookies {
  read(request: Request): ReadSession;
  set(response: Response, cookie: NewCookie): void;
  /** @param app ID of the app whose embedded chat made the request */
  clear(response: Response, app: string | undefined): void;
  /** Whether the browser uses https, so that cookies must be for https only. */
  isSecure(request: Request): boolean;
}

interface ReadSession {
  /** The verified claims of the cookie or bearer token, if there are any. */
  claims: VerifiedClaims | undefined;
  /** Replaces a cookie issued before an upgrade. */
  renew?: (response: Response) => void;
}

interface NewCookie {
  claims: SessionClaims;
  seconds: number;
  /** ID of the app whose embedded chat made the request. */
  app: string | undefined;
}

const plainName = 'knowhow_session';
/** For https: browsers accept this prefix only from this exact host over https. */
const secureName = '__Host-knowhow_session';

/** @param publicUrl public address, used if the proxy does not report https */
export function createSessionCookies(
  tokens: SessionTokens,
  publicUrl: string | undefined,
): SessionCookies {
  const secureHost = getHttpsHost(publicUrl);
  const isSecure = (request: Request) => request.secure || request.host === secureHost;
  const setToken = (response: Response, token: string, cookie: Omit<NewCookie, 'claims'>) => {
    // One cookie per response: signing in replaces a cookie just issued to a new visitor.
    response.removeHeader('Set-Cookie');
    const { name, options } = describeCookie(isSecure(response.req), cookie.app);
    response.cookie(name, token, { ...options, maxAge: cookie.seconds * 1000 });
  };
  /** Clears the cookie that older versions set over https. */
  const clearPlain = (response: Response, app: string | undefined) => {
    if (isSecure(response.req) && app === undefined) {
      response.clearCookie(plainName, describeCookie(true, app).options);
    }
  };
  return {
    isSecure,
    read: (request) => {
      const app = getEmbeddedApp(request);
      const found = readClaims(request, tokens, { isSecure: isSecure(request), app });
      const { claims, outdated } = found;
      if (outdated === undefined) {
        return { claims };
      }
      const seconds = Math.max(1, Math.floor(outdated.exp - Date.now() / 1000));
      return {
        claims,
        renew: (response) => {
          setToken(response, outdated.token, { seconds, app });
          clearPlain(response, app);
        },
      };
    },
    set: (response, { claims, ...cookie }) =>
      setToken(response, tokens.sign(claims, cookie.seconds), cookie),
    clear: (response, app) => {
      response.removeHeader('Set-Cookie');
      const { name, options } = describeCookie(isSecure(response.req), app);
      response.clearCookie(name, options);
      clearPlain(response, app);
    },
  };
}

interface ReadClaims {
  claims: VerifiedClaims | undefined;
  /** A valid cookie without the prefix, issued before an upgrade. */
  outdated?: { token: string; exp: number };
}

/**
 * Over https only the prefixed cookie counts. A cookie without the prefix could come from another host of the
 * domain, or from an attacker on the network. It counts only if its token predates the prefix. In an app's
 * frame, only that frame's cookie counts, and nowhere else.
 */
function readClaims(
  request: Request,
  tokens: SessionTokens,
  { isSecure, app }: { isSecure: boolean; app: string | undefined },
): ReadClaims {
  const verified = (token: string | undefined) => {
    const claims = token === undefined ? undefined : tokens.verify(token);
    return claims?.kind !== 'handed-over' && claims?.app === app ? claims : undefined;
  };
  if (app !== undefined) {
    return { claims: verified(getCookie(request, getEmbeddedCookie(app).name)) };
  }
  const own = getBearerToken(request) ?? getCookie(request, isSecure ? secureName : plainName);
  if (own !== undefined || !isSecure) {
    return { claims: verified(own) };
  }
  const token = getCookie(request, plainName);
  const claims = verified(token);
  return token === undefined || claims?.version !== 1
    ? { claims: undefined }
    : { claims, outdated: { token, exp: claims.exp } };
}

function describeCookie(
  isSecure: boolean,
  app: string | undefined,
): { name: string; options: CookieOptions } {
  return app === undefined
    ? {
        name: isSecure ? secureName : plainName,
        options: { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' },
      }
    : getEmbeddedCookie(app);
}

/** The public https host. */
function getHttpsHost(publicUrl: string | undefined): string | undefined {
  const address = publicUrl === undefined ? undefined : new URL(publicUrl);
  return address?.protocol === 'https:' ? address.host : undefined;
}
