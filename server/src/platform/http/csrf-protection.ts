import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import { isLoopbackHost } from '../lib/is-loopback-host.ts';
import { getBearerToken } from './bearer-token.ts';
import { isProbe } from './observe-requests.ts';

interface OriginOptions {
  host: string;
  publicUrl: string | undefined;
  behindProxy: boolean;
  /** Whether a reverse proxy authenticates every request, regardless of tokens. */
  isSignedInByProxy: () => boolean;
}

/**
 * Protects against CSRF and, on loopback, DNS rebinding. Writes must come from our own origin, and loopback
 * requests must use a known host name. Writes with a bearer token may come from anywhere: browsers never send
 * one automatically. Writes without a cookie are checked too, because the response may replace the user's
 * cookie.
 */
export function csrfProtection({
  host,
  publicUrl,
  behindProxy,
  isSignedInByProxy,
}: OriginOptions): RequestHandler {
  const publicAddress = publicUrl === undefined ? undefined : new URL(publicUrl);
  const requiresKnownHost = isLoopbackHost(host) && !behindProxy;
  return (request, _response, next) => {
    if (isProbe(request)) {
      next();
      return;
    }
    const requestHost = request.host;
    const isKnownHost =
      requestHost === publicAddress?.host || isLoopbackHost(withoutPort(requestHost));
    if (requiresKnownHost && !isKnownHost) {
      throw problem(
        'foreign-origin',
        'This server only accepts requests for this machine. Set PUBLIC_URL to its public address.',
      );
    }
    const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
    const hasBearerToken = getBearerToken(request) !== undefined && !isSignedInByProxy();
    if (isWrite && !hasBearerToken && isForeign(request, publicAddress)) {
      throw problem('foreign-origin', 'Writes must come from a page of this server.');
    }
    next();
  };
}

/**
 * Rejects every request from pages of other sites, including reads and writes with a token. For program
 * endpoints, whose clients send no Origin.
 */
export function rejectForeignPages(publicUrl: string | undefined): RequestHandler {
  const publicAddress = publicUrl === undefined ? undefined : new URL(publicUrl);
  return (request, _response, next) => {
    if (isForeign(request, publicAddress)) {
      throw problem('foreign-origin', 'Pages of other sites have no access here.');
    }
    next();
  };
}

/** Checks `Origin`; without one, as for script requests, checks `Sec-Fetch-Site` and `Referer`. */
function isForeign(request: Request, publicAddress: URL | undefined): boolean {
  const { origin, referer } = request.headers;
  if (origin !== undefined) {
    return !isOwn(origin, request, publicAddress);
  }
  const site = request.headers['sec-fetch-site'];
  return (
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (referer !== undefined && !isOwn(referer, request, publicAddress))
  );
}

/**
 * Whether a page is ours. On the host of `PUBLIC_URL`, only its scheme is ours. On other hosts, https is ours
 * even if the request arrived over http, since a proxy may terminate TLS.
 */
function isOwn(page: string, request: Request, publicAddress: URL | undefined): boolean {
  if (!URL.canParse(page)) {
    return false;
  }
  const { host, protocol } = new URL(page);
  if (host === publicAddress?.host) {
    return protocol === publicAddress.protocol;
  }
  return host === request.host && (protocol === 'https:' || request.protocol === 'http');
}

/** The host of a `Host` header, without its port and without the brackets of IPv6. */
export function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}
