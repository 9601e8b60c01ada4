import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** What is asked at the sign-in beside the password: a code of an app, or one of those for the loss of it. */
export const codeSchema = z.string().trim().min(1).max(64);
const password = z.string().min(1).max(1000);
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** What people do about their own second factor. Who begins it or takes it off shows that they know the password. */
export const secondFactorApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/account/second-factor',
    access: 'user',
    summary: 'Whether a code is asked for at the own sign-in, and how many recovery codes are left',
    response: z.object({ isOn: z.boolean(), recoveryCodes: z.number().int() }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/account/second-factor',
    access: 'user',
    summary: 'Makes a secret for an app of codes (TOTP); it counts once a code of it has been sent',
    body: z.strictObject({ password }),
    response: z.object({
      /** In base32. */
      secret: z.string(),
      /** For such apps, mostly as a QR code: `otpauth://totp/…`. */
      uri: z.string(),
    }),
  }),
  confirm: endpoint({
    method: 'PUT',
    path: '/api/account/second-factor',
    access: 'user',
    summary: 'Switches it on, with a code of the app; only this answer holds the recovery codes',
    body: z.strictObject({ code: codeSchema }),
    response: recoveryCodes,
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/account/second-factor/recovery-codes',
    access: 'user',
    summary: 'Makes other recovery codes; those of before are good for nothing any more',
    body: z.strictObject({ password }),
    response: recoveryCodes,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/account/second-factor/removal',
    access: 'user',
    summary: 'Switches it off: the password alone is enough again',
    body: z.strictObject({ password }),
    response: z.void(),
  }),
};
