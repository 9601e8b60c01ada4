import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { nameOf } from '../names.ts';
import { keyScopes } from './key-scopes.ts';

/** A key of a user, by which programs ask in their name. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** How it begins: enough to recognise it. */
  prefix: z.string(),
  scopes: z.array(z.enum(keyScopes)),
  createdAt: z.iso.datetime(),
  /** After that it opens nothing; left out for one that does not expire. */
  expiresAt: z.iso.datetime().optional(),
  /** To the minute; left out for one that nobody has used. */
  lastUsedAt: z.iso.datetime().optional(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

const longestDays = 3650;

/** What is said of a key that is made. */
export const newApiKeySchema = z.strictObject({
  name: nameOf(100),
  scopes: z
    .array(z.enum(keyScopes))
    .min(1, 'Choose what the key is for.')
    .max(keyScopes.length)
    .transform((scopes) => keyScopes.filter((scope) => scopes.includes(scope))),
  /** Left out: it does not expire. */
  expiresInDays: z.number().int().min(1).max(longestDays).optional(),
});

/** What people do with their keys. None of it can be done with a key. */
export const apiKeysApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/account/keys',
    access: 'user',
    summary: 'The own keys for programs, the newest first; not what they are',
    query: pageQuery,
    response: listOf(apiKeySchema),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/account/keys',
    access: 'user',
    summary: 'Makes a key for a program; only this answer holds it',
    body: newApiKeySchema,
    response: z.object({ key: z.string(), details: apiKeySchema }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/account/keys/:id',
    access: 'user',
    summary: 'Revokes a key; what is under way with it ends within a second',
    params: z.strictObject({ id: z.string().max(100) }),
    response: z.void(),
  }),
};
