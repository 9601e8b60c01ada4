import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';

/** A key of a provider of models; what it is nobody is told. */
export const providerKeySchema = z.object({
  /** As the environment calls it: `OPENAI_API_KEY`. */
  variable: z.string(),
  /** Ids of the models that it is for. */
  models: z.array(z.string()),
  /** Whether a model that it is for, or its vendor, answers nobody without it. */
  isNeeded: z.boolean(),
  /** Where the one comes from that counts: the environment wins. */
  source: z.enum(['environment', 'entered', 'none']),
  /** Who has entered one here, and when. */
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
    ...forAdmins('The keys that models have or need, without what they are'),
    method: 'GET',
    path: '/api/admin/provider-keys',
    query: pageQuery,
    response: listOf(providerKeySchema),
  }),
  set: endpoint({
    ...forAdmins('Keeps a key, encrypted, in place of one that was entered before'),
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
    ...forAdmins('Forgets a key that was entered'),
    method: 'DELETE',
    path: '/api/admin/provider-keys/:variable',
    params,
    response: z.void(),
  }),
};
