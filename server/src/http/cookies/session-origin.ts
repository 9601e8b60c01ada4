import type { Request } from 'express';
import type { SessionOrigin } from '../../access/sessions.ts';
import { addressBlock } from '../address-block.ts';

/** Where a session begins that somebody asks for. */
export function sessionOrigin(request: Request): SessionOrigin {
  return { address: addressBlock(request), userAgent: request.headers['user-agent'] };
}
