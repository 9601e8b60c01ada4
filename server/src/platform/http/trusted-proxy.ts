import type { Request } from 'express';

/** Whether the connection comes from a proxy that `TRUST_PROXY` trusts. */
export function isFromTrustedProxy(request: Request): boolean {
  const isTrusted: (address: string, hop: number) => boolean = request.app.get('trust proxy fn');
  return isTrusted(request.socket.remoteAddress ?? '', 0);
}
