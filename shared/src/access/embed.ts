import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint } from '../endpoint.ts';

const params = z.strictObject({ appId: itemIdSchema });
/** 32 random bytes, or their SHA-256: base64url. */
const bytes32 = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'This is 32 bytes as base64url.');

/** The chat of one app in a page of somebody else. */
export const embedApi = {
  handOver: endpoint({
    method: 'POST',
    path: '/api/embed/:appId/hand-over',
    access: 'user',
    summary:
      'A code with which a frame that shows this app becomes signed in as you; good once, for a minute',
    params,
    /** The SHA-256 of what the frame alone knows. */
    body: z.strictObject({ challenge: bytes32 }),
    response: z.object({ code: z.string() }),
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/embed/:appId/sign-in',
    access: 'public',
    summary: 'Signs a frame in that shows this app, with a code that its user has handed over',
    params,
    body: z.strictObject({ code: z.string().max(2000), verifier: bytes32 }),
    response: z.void(),
  }),
};
