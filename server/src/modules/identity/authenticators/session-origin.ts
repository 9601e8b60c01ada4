import type { Request } from 'express';
import { addressBlock } from '../../../platform/http/address-block.ts';
import type { SessionOrigin } from '../sessions.ts';

/** The client that starts a session: address and user agent. */
export function getSessionOrigin(request: Request): SessionOrigin {
  return { address: addressBlock(request), userAgent: request.headers['user-agent'] };
}
