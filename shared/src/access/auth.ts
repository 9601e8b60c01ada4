import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { nameOf } from '../names.ts';
import { heldRightsSchema } from './admin-rights.ts';
import { codeSchema } from './second-factor.ts';

/** Whoever is asking: a signed-in user or an anonymous visitor. */
export const meSchema = z.object({
  id: z.string(),
  name: z.string(),
  groups: z.array(z.string()),
  /** Whether there is anything they look after. */
  isAdmin: z.boolean(),
  /** What that is; left out where there is nothing. */
  adminRights: heldRightsSchema.optional(),
  anonymous: z.boolean(),
  /** False when this visitor has to sign in before anything else. */
  mayChat: z.boolean(),
  /** The password was made up for this user, who had better choose another. */
  hasMadePassword: z.literal(true).optional(),
  /** What people call where this user signs in; left out for who has a password here. */
  signsInWith: z.string().optional(),
  /** Characters that a new password of this user has at least; a guest has none. */
  passwordMinLength: z.number().int().optional(),
  /** Whether they may make links to their conversations. */
  mayShare: z.literal(true).optional(),
  /** Hosts whose pictures in answers are loaded when their reader wants it; none when left out. */
  imageHosts: z.array(z.string()).optional(),
  /** What of speech the browser may be used for; nothing when left out. */
  speech: z.array(z.enum(['input', 'output'])).optional(),
});
export type Me = z.infer<typeof meSchema>;

export const authApi = {
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    summary:
      'Sign in with a name and a password; with a code too, where the answer is `second-factor-required`',
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
      'Sign out: the session ends on the server too; with an address where it ends at the provider, if that is wanted',
    response: z.object({ url: z.url() }).optional(),
  }),
  me: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    access: 'public',
    summary: 'The signed-in user, or the anonymous one',
    response: meSchema,
  }),
};
