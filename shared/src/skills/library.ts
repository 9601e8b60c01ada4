import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery, searchQuery } from '../list.ts';
import { comment } from './inbox.ts';
import { skillTranslationsSchema } from './skill-translations.ts';
import { skillDetailSchema, skillSummarySchema } from './skills.ts';
import { reviewDateSchema } from './skills-config.ts';

/** Orders of the library: most used first, newest version first, or by displayed name. */
export const libraryOrders = ['popular', 'newest', 'name'] as const;
export type LibraryOrder = (typeof libraryOrders)[number];

const inLibrary = z.object({
  /** Answers of all users in the last 30 days in which it was active. Missing if analytics are off. */
  uses: z.number().int().optional(),
  /** Its published version. Missing for a skill without versions, and for pinned and previewed versions. */
  published: z.object({ number: z.number().int(), at: z.string() }).optional(),
});

export const librarySkillSchema = skillSummarySchema.extend(inLibrary.shape);
export type LibrarySkill = z.infer<typeof librarySkillSchema>;

/** A skill that its owner has made discoverable: nothing of its files. */
export const requestableSkillSchema = z.object({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  translations: skillTranslationsSchema.optional(),
  /** Display name of its owner. */
  owner: z.string().optional(),
  /** Whether this user's request is open. */
  isRequested: z.boolean(),
});
export type RequestableSkill = z.infer<typeof requestableSkillSchema>;

/** Maximum number of examples of a skill, and of characters in each. */
export const maxExamples = 5;
export const maxExampleLength = 300;

export const libraryApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/library',
    access: 'user',
    scope: 'skills',
    summary:
      'The skills that this user may use, with use and versions; with `query`, best match first',
    query: pageQuery.extend({
      query: searchQuery,
      /** Exactly as in `categories`. */
      category: z.string().max(200).optional(),
      /** Ignored with `query`. */
      order: z.enum(libraryOrders).default('popular'),
    }),
    response: listOf(librarySkillSchema).extend({
      /** All categories of the user's skills, by name. */
      categories: z.array(z.object({ name: z.string(), skills: z.number().int() })),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/library/:name',
    access: 'user',
    scope: 'skills',
    summary: 'A skill in the library, with examples of what to ask',
    params: z.strictObject({ name: z.string().min(1).max(300) }),
    response: skillDetailSchema.extend({
      ...inLibrary.shape,
      /** Prompts of its author that should activate it. */
      examples: z.array(z.string()),
      /** Display name of its owner. */
      owner: z.string().optional(),
      /** Only for its owners and for administrators of skills, who may change it. */
      review: z.object({ by: reviewDateSchema.optional() }).optional(),
    }),
  }),
  requestable: endpoint({
    method: 'GET',
    path: '/api/requestable-skills',
    access: 'user',
    summary: 'Skills that this user may not use, and to which they can request access; by name',
    query: pageQuery.extend({ query: searchQuery }),
    response: listOf(requestableSkillSchema),
  }),
  request: endpoint({
    method: 'POST',
    path: '/api/library/:name/request',
    access: 'user',
    summary: 'Request access to a skill; repeating it while a request is open changes nothing',
    params: z.strictObject({ name: z.string().min(1).max(300) }),
    body: z.strictObject({ message: comment.default('') }),
    response: z.void(),
  }),
};
