import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { skillSummarySchema } from './skills.ts';

export const favouriteKinds = ['skill', 'prompt'] as const;
export type FavouriteKind = (typeof favouriteKinds)[number];

export const maxFavourites = 200;

/** As they are stored. */
export const favouriteRows = z
  .array(z.strictObject({ kind: z.enum(favouriteKinds), id: z.string().max(300) }))
  .max(maxFavourites);

/** What people keep at hand, and what they have used. */
export const favouritesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/favourites',
    access: 'user',
    inFrame: true,
    summary: 'The own favourites, the newest first, and the skills used lately, the last one first',
    query: z.strictObject({ app: z.string().max(100).optional() }),
    response: z.object({
      /** False for a guest, who has none. */
      canKeep: z.boolean(),
      /** Of those this user sees now. */
      skills: z.array(skillSummarySchema),
      /** Ids of prompts. */
      prompts: z.array(z.string()),
      recent: z.array(skillSummarySchema),
    }),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/favourites',
    access: 'user',
    inFrame: true,
    summary: 'Makes a skill or a prompt a favourite, or no longer one',
    body: z.strictObject({
      kind: z.enum(favouriteKinds),
      /** A skill's name, a prompt's id. */
      id: z.string().min(1).max(300),
      isFavourite: z.boolean(),
    }),
    response: z.void(),
  }),
};
