import { z } from 'zod';
import { endpoint } from './endpoint.ts';

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
};
