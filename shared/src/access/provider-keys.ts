import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';

/** A key of a model provider, without its value. */
export const providerKeySchema = z.object({
  /** Named like the environment variable: `OPENAI_API_KEY`. */
  variable: z.string(),
  /** Ids of the models that use it. */
  models: z.array(z.string()),
  /** Whether one of these models does not work without it. */
  isNeeded: z.boolean(),
  /** Source of the effective key: the environment takes precedence. */
  source: z.enum(['environment', 'entered', 'none']),
  /** The administrator who entered it, and the time. */
  enteredBy: z.string().optional(),
  enteredAt: z.iso.datetime().optional(),
});
export type ProviderKey = z.infer<typeof providerKeySchema>;

const params = z.strictObject({
  variable: z
    .string()
    .max(100)
    .regex(/^[A-Z][A-Z0-9_]*_API_KEY$/, 'The variable of a key ends in _API_KEY.'),
});
const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });

export const providerKeysApi = {
  list: endpoint({
    ...forAdmins('Keys of model providers, without their values'),
    method: 'GET',
    path: '/api/admin/provider-keys',
    query: pageQuery,
    response: listOf(providerKeySchema),
  }),
  set: endpoint({
    ...forAdmins('Stores a key, encrypted; replaces an earlier one'),
    method: 'PUT',
    path: '/api/admin/provider-keys/:variable',
    params,
    body: z.strictObject({
      key: z
        .string()
        .trim()
        .min(8, 'A key has at least 8 characters.')
        .max(1000)
        .regex(/^[\x21-\x7e]+$/, 'A key has no blanks and no letters beyond ASCII.'),
    }),
    response: z.void(),
  }),
  remove: endpoint({
    ...forAdmins('Deletes a stored key'),
    method: 'DELETE',
    path: '/api/admin/provider-keys/:variable',
    params,
    response: z.void(),
  }),
};
