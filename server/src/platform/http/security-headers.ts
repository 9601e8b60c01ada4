import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { isLoopbackHost } from '../lib/is-loopback-host.ts';
import { withoutPort } from './csrf-protection.ts';
import { plainPageStyle } from './plain-page.ts';

/**
 * Headers of every response, against cross-site scripting (XSS) and clickjacking: no third-party content, no framing,
 * and HSTS for public https servers. HSTS excludes subdomains, which may belong to others. There are no CORS headers,
 * so pages of other origins cannot read responses.
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
