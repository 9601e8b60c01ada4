import type { CookieOptions, Request } from 'express';

/**
 * The id of the app whose chat, for pages of others, makes a request: it says so by `Referer`, which the browser
 * writes and no other site can. With it somebody may do less than without.
 */
export function embeddedApp(request: Request): string | undefined {
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

/**
 * The cookie of an app's chat in pages of others. Browsers keep it apart for each site that shows the chat, and
 * send it in no other.
 */
export function embeddedCookie(app: string): { name: string; options: CookieOptions } {
  return {
    name: `__Host-knowhow_embed_${app}`,
    options: { httpOnly: true, sameSite: 'none', secure: true, partitioned: true, path: '/' },
  };
}
