import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import { isLoopbackHost } from '../lib/is-loopback-host.ts';
import { getBearerToken } from './bearer-token.ts';
import { isProbe } from './observe-requests.ts';
import { plainPageStyle } from './plain-page.ts';

/**
 * Headers of every response: no third-party content, no framing, and HSTS for public https servers. HSTS
 * excludes subdomains, which may belong to others.
 */
export function securityHeaders(publicUrl: string | undefined): RequestHandler {
  const address = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isHttps = address?.protocol === 'https:' && !isLoopbackHost(withoutPort(address.host));
  const policy = contentPolicy(plainPageStyle);
  const setOtherHeaders = helmet({
    contentSecurityPolicy: false,
    // Plain http on loopback or behind a proxy is a normal way to run.
    strictTransportSecurity: isHttps && { maxAge: oneYear, includeSubDomains: false },
  });
  return (request, response, next) => {
    response.set('Content-Security-Policy', policy);
    setOtherHeaders(request, response, next);
  };
}

/**
 * The content security policy (CSP) of a page. `inlineStyle` is a nonce or hash, e.g. `'nonce-…'`, that
 * allows style elements. Styles that scripts set on elements need no permission. `imageHosts` may serve
 * images over https. Pages of `embedders` (origins) may frame the page.
 */
export function contentPolicy(
  inlineStyle: string,
  { imageHosts = [], embedders = [] }: { imageHosts?: string[]; embedders?: string[] } = {},
): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${inlineStyle}`,
    "style-src-attr 'none'",
    ["img-src 'self' data: blob:", ...imageHosts.map((host) => `https://${host}`)].join(' '),
    "connect-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${embedders.join(' ') || "'none'"}`,
  ].join('; ');
}

/**
 * The policy of the frame that draws diagrams: it may run our scripts and style their output. Its opaque
 * origin has no cookies, storage or network. Only our own pages may frame it, including those framed by
 * `embedders`.
 */
export function diagramPolicy(embedders: readonly string[]): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    ["frame-ancestors 'self'", ...embedders].join(' '),
  ].join('; ');
}

const oneYear = 365 * 24 * 3600;

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
export function requireOwnOrigin({
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

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}
