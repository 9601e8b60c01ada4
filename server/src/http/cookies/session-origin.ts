import type { Request } from 'express';
import type { SessionOrigin } from '../../modules/identity/sessions.ts';
import { addressBlock } from '../address-block.ts';

/** The client that starts a session: address and user agent. */
export function getSessionOrigin(request: Request): SessionOrigin {
  return { address: addressBlock(request), userAgent: request.headers['user-agent'] };
}
