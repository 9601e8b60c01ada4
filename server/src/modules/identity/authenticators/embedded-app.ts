import type { CookieOptions, Request } from 'express';
import { type Caller, embeddedCaller } from '../caller.ts';

/**
 * The ID of the app whose embedded chat makes the request, taken from `Referer`. The browser sets that
 * header; other sites cannot forge it. An embedded chat has fewer permissions.
 */
export function getEmbeddedApp(request: Request): string | undefined {
  const { referer } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (referer === undefined || (site !== undefined && site !== 'same-origin')) {
    return undefined;
  }
  if (!URL.canParse(referer)) {
    return undefined;
  }
  const { host, pathname } = new URL(referer);
  const [, app] = /^\/embed\/([A-Za-z0-9][A-Za-z0-9._-]{0,99})$/.exec(pathname) ?? [];
  return host === request.host ? app : undefined;
}

/** The cookie of an app's embedded chat. Browsers partition it by embedding site. */
export function getEmbeddedCookie(app: string): { name: string; options: CookieOptions } {
  return {
    name: `__Host-knowhow_embed_${app}`,
    options: { httpOnly: true, sameSite: 'none', secure: true, partitioned: true, path: '/' },
  };
}

/** The caller, limited to the app if the request comes from its embedded chat. */
export function restrictToApp(caller: Caller, app: string | undefined): Caller {
  return app === undefined ? caller : embeddedCaller(caller, app);
}
