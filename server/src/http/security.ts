import { problem } from '@knowhow/shared/problem';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { isLoopbackHost } from '../access/caller.ts';

/** The headers every answer carries. Nothing is loaded from elsewhere, nothing is framed. */
export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Plain http on loopback or behind a proxy is a normal way to run.
    strictTransportSecurity: false,
  });
}

interface Place {
  host: string;
  publicUrl: string | undefined;
  behindProxy: boolean;
}

/**
 * Refuses what another site makes a browser send: writes with a foreign `Origin`, and, on loopback,
 * requests under a foreign name (DNS rebinding).
 */
export function ownOriginOnly({ host, publicUrl, behindProxy }: Place): RequestHandler {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const namesOnly = isLoopbackHost(host) && !behindProxy;
  return (request, _response, next) => {
    const requestHost = request.host;
    if (namesOnly && requestHost !== publicHost && !isLoopbackHost(withoutPort(requestHost))) {
      throw problem(
        'foreign-origin',
        'This server answers on this machine only. Set PUBLIC_URL to the address it is reached by.',
      );
    }
    const { origin } = request.headers;
    const foreign = origin !== undefined && !isOwn(origin, [requestHost, publicHost]);
    if (foreign && !['GET', 'HEAD', 'OPTIONS'].includes(request.method)) {
      throw problem('foreign-origin', 'A write must come from a page of this server.');
    }
    next();
  };
}

function isOwn(origin: string, hosts: (string | undefined)[]): boolean {
  return URL.canParse(origin) && hosts.includes(new URL(origin).host);
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}
