import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { nameOf } from '../names.ts';
import { heldRightsSchema } from './admin-rights.ts';
import { codeSchema } from './second-factor.ts';

/** The current user, signed in or anonymous. */
export const meSchema = z.object({
  id: z.string(),
  name: z.string(),
  groups: z.array(z.string()),
  /** Whether the user has any admin rights. */
  isAdmin: z.boolean(),
  /** Admin rights; omitted if there are none. */
  adminRights: heldRightsSchema.optional(),
  anonymous: z.boolean(),
  /** False if this visitor must sign in first. */
  mayChat: z.boolean(),
  /** The user still has a temporary password. */
  hasMadePassword: z.literal(true).optional(),
  /** Displayed name of the user's identity provider; omitted for a local password. */
  signsInWith: z.string().optional(),
  /** Minimum length of a new password; omitted for guests. */
  passwordMinLength: z.number().int().optional(),
  /** Whether the user may share conversations. */
  mayShare: z.literal(true).optional(),
  /** May have skills of their own. */
  mayWriteSkills: z.literal(true).optional(),
  /** The server sends e-mail. */
  hasMail: z.literal(true).optional(),
  /** Hosts from which images in answers may be loaded on request; omitted if there are none. */
  imageHosts: z.array(z.string()).optional(),
  /** Speech features that the browser may use; omitted if there are none. */
  speech: z.array(z.enum(['input', 'output'])).optional(),
});
export type Me = z.infer<typeof meSchema>;

export const authApi = {
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    summary: 'Sign in with a name and a password, and with a code after `second-factor-required`',
    body: z.strictObject({
      username: nameOf(200),
      password: z.string().min(1).max(1000),
      code: codeSchema.optional(),
    }),
    response: meSchema,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    summary:
      'Sign out and end the session; returns the logout URL of the provider if that is enabled',
    response: z.object({ url: z.url() }).optional(),
  }),
  me: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    access: 'public',
    summary: 'The current user, signed in or anonymous',
    response: meSchema,
  }),
};
