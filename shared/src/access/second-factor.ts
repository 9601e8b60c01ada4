import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** The second factor: a code of an authenticator app, or a recovery code. */
export const codeSchema = z.string().trim().min(1).max(64);
const password = z.string().min(1).max(1000);
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Users manage their second factor. Setup, renewal and removal require the password. */
export const secondFactorApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/account/second-factor',
    access: 'user',
    summary: 'Whether your second factor is on, and how many recovery codes are left',
    response: z.object({ isOn: z.boolean(), recoveryCodes: z.number().int() }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/account/second-factor',
    access: 'user',
    summary:
      'Creates a secret for an authenticator app (TOTP), which must be confirmed with a code',
    body: z.strictObject({ password }),
    response: z.object({
      /** In base32. */
      secret: z.string(),
      /** For authenticator apps, mostly as a QR code: `otpauth://totp/…`. */
      uri: z.string(),
    }),
  }),
  confirm: endpoint({
    method: 'PUT',
    path: '/api/account/second-factor',
    access: 'user',
    summary:
      'Enables the second factor with a code of the app; only this response contains the recovery codes',
    body: z.strictObject({ code: codeSchema }),
    response: recoveryCodes,
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/account/second-factor/recovery-codes',
    access: 'user',
    summary: 'Creates new recovery codes; the old ones stop working',
    body: z.strictObject({ password }),
    response: recoveryCodes,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/account/second-factor/removal',
    access: 'user',
    summary: 'Disables the second factor',
    body: z.strictObject({ password }),
    response: z.void(),
  }),
};
