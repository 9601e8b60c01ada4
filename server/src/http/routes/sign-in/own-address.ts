import { problem } from '@knowhow/shared/problem';
import type { Request } from 'express';
import { isLoopbackHost } from '../../../lib/is-loopback-host.ts';

/**
 * Where people reach this server, for those who send them back. Whoever asks must not decide that: only on
 * loopback it is what the request says. Throws `conflict`.
 */
export function ownAddress(request: Request, publicUrl: string | undefined): string {
  const isLocal = isLoopbackHost(request.hostname);
  const base = publicUrl ?? (isLocal ? `${request.protocol}://${request.host}` : undefined);
  if (base === undefined || !URL.canParse(base)) {
    throw problem(
      'conflict',
      'Set PUBLIC_URL to the address of this server: people come back to it.',
    );
  }
  return base;
}

const somewhere = 'http://own.invalid';

/** A path of ours that somebody is to be led to, and nothing that leads anywhere else; `/` for all of that. */
export function ownPath(wanted: string | undefined): string {
  if (wanted === undefined || !/^\/(?![/\\])[^\p{Cc}\\]{0,2000}$/u.test(wanted)) {
    return '/';
  }
  if (!URL.canParse(wanted, somewhere)) {
    return '/';
  }
  const { origin, pathname, search, hash } = new URL(wanted, somewhere);
  const isPage = !/^\/(?:\/|api(?:\/|$)|v1(?:\/|$)|mcp(?:\/|$)|login(?:\/|$))/i.test(pathname);
  return origin === somewhere && isPage ? `${pathname}${search}${hash}` : '/';
}
