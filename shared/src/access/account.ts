import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';

/** An active session. Unknown details are omitted. */
export const accountSessionSchema = z.object({
  id: z.string(),
  /** Whether it is the session of this request. */
  isCurrent: z.boolean(),
  /** For example "Firefox". */
  browser: z.string().optional(),
  /** For example "Windows". */
  system: z.string().optional(),
  /** Address of the client at sign-in; for IPv6 the first 64 bits. */
  address: z.string().optional(),
  startedAt: z.iso.datetime().optional(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime().optional(),
});
export type AccountSession = z.infer<typeof accountSessionSchema>;

/** Users manage their own account. */
export const accountApi = {
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/account/password',
    access: 'user',
    summary: 'Changes your password and ends all your other sessions',
    body: z.strictObject({
      current: z.string().min(1).max(1000),
      password: z.string().min(8, 'A password has at least 8 characters.').max(1000),
    }),
    response: z.void(),
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/account/sessions',
    access: 'user',
    summary: 'Your active sessions, most recently used first',
    query: pageQuery,
    response: listOf(accountSessionSchema),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/account/sessions/:id',
    access: 'user',
    summary: 'Ends one of your sessions; its running requests end within a second',
    params: z.strictObject({ id: z.string().max(100) }),
    response: z.void(),
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/account/sessions',
    access: 'user',
    summary: 'Ends all your sessions except this one',
    response: z.void(),
  }),
};
