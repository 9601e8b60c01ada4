import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';

/** Where somebody is signed in. What is not known is left out. */
export const accountSessionSchema = z.object({
  id: z.string(),
  /** The one that asks. */
  isCurrent: z.boolean(),
  /** Such as "Firefox". */
  browser: z.string().optional(),
  /** Such as "Windows". */
  system: z.string().optional(),
  /** Of IPv6 the first half: where it began. */
  address: z.string().optional(),
  startedAt: z.iso.datetime().optional(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime().optional(),
});
export type AccountSession = z.infer<typeof accountSessionSchema>;

/** What people do with their own account. */
export const accountApi = {
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/account/password',
    access: 'user',
    summary: 'Changes the own password; all other sessions of the user end',
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
    summary: 'Where the user is signed in, the one used last first',
    query: pageQuery,
    response: listOf(accountSessionSchema),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/account/sessions/:id',
    access: 'user',
    summary: 'Ends one of the own sessions; what is under way in it ends within a second',
    params: z.strictObject({ id: z.string().max(100) }),
    response: z.void(),
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/account/sessions',
    access: 'user',
    summary: 'Ends all own sessions but the one that asks',
    response: z.void(),
  }),
};
