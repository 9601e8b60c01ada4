import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { nameOf } from '../names.ts';
import { type KeyScope, keyScopes } from './key-scopes.ts';

/** An API key, with which programs act on behalf of a user. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The displayable beginning of the key. */
  prefix: z.string(),
  scopes: z.array(z.enum(keyScopes)),
  createdAt: z.iso.datetime(),
  /** Expiry; omitted if it does not expire. */
  expiresAt: z.iso.datetime().optional(),
  /** To the minute; omitted if it has never been used. */
  lastUsedAt: z.iso.datetime().optional(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

const maxDays = 3650;

/** Chosen scopes, in the order of all. */
export function scopesOf<Scope extends KeyScope>(all: readonly Scope[]) {
  return z
    .array(z.enum(all))
    .min(1, 'Choose what the key is for.')
    .max(all.length)
    .transform((scopes) => all.filter((scope) => scopes.includes(scope)));
}

/** Settings of a new key. */
export const newApiKeySchema = z.strictObject({
  name: nameOf(100),
  scopes: scopesOf(keyScopes),
  /** Omitted: the key does not expire. */
  expiresInDays: z.number().int().min(1).max(maxDays).optional(),
});

/** Users manage their API keys. Not available with a key. */
export const apiKeysApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/account/keys',
    access: 'user',
    summary: 'Your API keys, newest first, without the keys themselves',
    query: pageQuery,
    response: listOf(apiKeySchema),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/account/keys',
    access: 'user',
    summary: 'Creates an API key; only this response contains it',
    body: newApiKeySchema,
    response: z.object({ key: z.string(), details: apiKeySchema }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/account/keys/:id',
    access: 'user',
    summary: 'Revokes a key; its running requests end within a second',
    params: z.strictObject({ id: z.string().max(100) }),
    response: z.void(),
  }),
};
