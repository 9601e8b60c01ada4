import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { isLoopbackHost } from '../../../platform/lib/is-loopback-host.ts';

/**
 * The public base URL of this server, for redirects back to it. A Host header is trusted only on loopback,
 * otherwise an attacker could choose it. Throws `conflict`.
 */
export function getBaseUrl(request: Request, publicUrl: string | undefined): string {
  const isLocal = isLoopbackHost(request.hostname);
  const base = publicUrl ?? (isLocal ? `${request.protocol}://${request.host}` : undefined);
  if (base === undefined || !URL.canParse(base)) {
    throw problem('conflict', 'Set PUBLIC_URL to the public address of this server.');
  }
  return base;
}

const dummyOrigin = 'http://own.invalid';

/** Validates a return path within this server; `/` for anything else (open redirect). */
export function getSafeReturnPath(wanted: string | undefined): string {
  if (wanted === undefined || !/^\/(?![/\\])[^\p{Cc}\\]{0,2000}$/u.test(wanted)) {
    return '/';
  }
  if (!URL.canParse(wanted, dummyOrigin)) {
    return '/';
  }
  const { origin, pathname, search, hash } = new URL(wanted, dummyOrigin);
  const isPage = !/^\/(?:\/|api(?:\/|$)|v1(?:\/|$)|mcp(?:\/|$)|login(?:\/|$))/i.test(pathname);
  return origin === dummyOrigin && isPage ? `${pathname}${search}${hash}` : '/';
}
