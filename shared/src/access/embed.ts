import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint } from '../endpoint.ts';

const params = z.strictObject({ appId: itemIdSchema });
/** 32 random bytes, or their SHA-256: base64url. */
const bytes32 = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'This is 32 bytes as base64url.');

/** The chat of one app, embedded in another site. */
export const embedApi = {
  handOver: endpoint({
    method: 'POST',
    path: '/api/embed/:appId/hand-over',
    access: 'user',
    summary:
      'A single-use code that signs in the embedded frame of this app as you; valid for a minute',
    params,
    /** SHA-256 of a secret that only the frame knows (PKCE). */
    body: z.strictObject({ challenge: bytes32 }),
    response: z.object({ code: z.string() }),
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/embed/:appId/sign-in',
    access: 'public',
    summary: 'Signs in an embedded frame of this app with a code',
    params,
    body: z.strictObject({ code: z.string().max(2000), verifier: bytes32 }),
    response: z.void(),
  }),
};
