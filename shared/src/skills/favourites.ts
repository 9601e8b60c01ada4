import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { skillSummarySchema } from './skills.ts';

export const favouriteKinds = ['skill', 'prompt'] as const;
export type FavouriteKind = (typeof favouriteKinds)[number];

export const maxFavourites = 200;

/** In the stored form. */
export const favouriteRows = z
  .array(z.strictObject({ kind: z.enum(favouriteKinds), id: z.string().max(300) }))
  .max(maxFavourites);

/** Favourites and recently used skills. */
export const favouritesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/favourites',
    access: 'user',
    inFrame: true,
    summary: 'Your favourites, newest first, and recently used skills',
    query: z.strictObject({ app: z.string().max(100).optional() }),
    response: z.object({
      /** False for guests, who have no favourites. */
      canKeep: z.boolean(),
      /** Skills that the user can currently access. */
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
    summary: 'Adds a skill or prompt to favourites, or removes it',
    body: z.strictObject({
      kind: z.enum(favouriteKinds),
      /** A skill's name, or a prompt's id. */
      id: z.string().min(1).max(300),
      isFavourite: z.boolean(),
    }),
    response: z.void(),
  }),
};
