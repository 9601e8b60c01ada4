import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import { isLoopbackHost } from '../lib/is-loopback-host.ts';
import { bearerOf } from './cookies/bearer-of.ts';
import { isProbe } from './observe-requests.ts';
import { plainPageStyle } from './plain-page.ts';

/**
 * The headers every answer carries. Nothing is loaded from elsewhere, nothing is framed. Where people come
 * by https, browsers are instructed never to come otherwise; for this host only, since others below it may well
 * be somebody else's.
 */
export function securityHeaders(publicUrl: string | undefined): RequestHandler {
  const address = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isHttps = address?.protocol === 'https:' && !isLoopbackHost(withoutPort(address.host));
  const policy = contentPolicy(plainPageStyle);
  const others = helmet({
    contentSecurityPolicy: false,
    // Plain http on loopback or behind a proxy is a normal way to run.
    strictTransportSecurity: isHttps && { maxAge: oneYear, includeSubDomains: false },
  });
  return (request, response, next) => {
    response.set('Content-Security-Policy', policy);
    others(request, response, next);
  };
}

/**
 * What a page may load. `inlineStyle` names the style elements in a page that hold, as a nonce or a
 * hash: `'nonce-…'`. Styles set by scripts, element by element, need no permission. Of `imageHosts` pictures
 * may come, by https. Pages of `embedders`, which are origins, may show the page in a frame.
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
 * What the frame may do that draws diagrams: run our own scripts and style what they draw. Of no origin, it
 * has no cookie, no storage and nobody to ask, and only pages of ours may show it, also where they are in a frame
 * of `embedders`.
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

interface OwnAddress {
  host: string;
  publicUrl: string | undefined;
  behindProxy: boolean;
  /** Whether a proxy says with each request who makes it, whatever token is with it. */
  isSignedInByProxy: () => boolean;
}

/**
 * Refuses what another site makes a browser send: writes that do not come from a page of ours, and,
 * on loopback, requests under a foreign name (DNS rebinding). No browser sends a bearer token by
 * itself, so a write with one may come from anywhere; one without is held to our origin even when it
 * has no cookie, since its answer may set one in place of the user's.
 */
export function ownOriginOnly({
  host,
  publicUrl,
  behindProxy,
  isSignedInByProxy,
}: OwnAddress): RequestHandler {
  const publicAddress = publicUrl === undefined ? undefined : new URL(publicUrl);
  const namesOnly = isLoopbackHost(host) && !behindProxy;
  return (request, _response, next) => {
    if (isProbe(request)) {
      next();
      return;
    }
    const requestHost = request.host;
    const isNamed = requestHost === publicAddress?.host || isLoopbackHost(withoutPort(requestHost));
    if (namesOnly && !isNamed) {
      throw problem(
        'foreign-origin',
        'This server answers on this machine only. Set PUBLIC_URL to the address it is reached by.',
      );
    }
    const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
    const isByToken = bearerOf(request) !== undefined && !isSignedInByProxy();
    if (isWrite && !isByToken && isForeign(request, publicAddress)) {
      throw problem('foreign-origin', 'A write must come from a page of this server.');
    }
    next();
  };
}

/**
 * Refuses whatever a page of another site sends, also a read, or a write with a token: for programs, which
 * name no origin.
 */
export function ownPagesOnly(publicUrl: string | undefined): RequestHandler {
  const publicAddress = publicUrl === undefined ? undefined : new URL(publicUrl);
  return (request, _response, next) => {
    if (isForeign(request, publicAddress)) {
      throw problem('foreign-origin', 'Pages of other sites have no access here.');
    }
    next();
  };
}

/** Goes by `Origin`; without one, as scripts are, by what else a browser says of where it is. */
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
 * Whether a page is ours. On the host of `PUBLIC_URL` only its scheme counts. On another one https
 * is ours even where the request came by http, since a proxy may have taken the https off.
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
