import { z } from 'zod';
import { endpoint, forChat } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { appLookSchema } from './app-look.ts';
import { itemIdSchema } from './item-id.ts';
import { localizedSchema } from './localized.ts';

/** An app as a user sees it, without the system prompt. */
export const appSchema = z.object({
  id: z.string(),
  name: localizedSchema,
  description: localizedSchema,
  ...appLookSchema.shape,
  greeting: z.object({ title: localizedSchema, subtitle: localizedSchema }),
  starterPrompts: z.array(
    z.object({
      title: localizedSchema,
      outcome: localizedSchema.optional(),
      message: localizedSchema,
    }),
  ),
  /** Ids of the models available to this user, preferred first. */
  models: z.array(z.string()),
  /** Whether this user can see what the model got for an answer. */
  showTrace: z.boolean(),
  /**
   * Whether models without tools get skills automatically: those chosen for a message, or all that
   * fit.
   */
  bringsSkills: z.boolean(),
  /** Whether it has questions for its users: `appVariables.get`. */
  asksUsers: z.boolean(),
  /** Whether tool servers may have resources for this user to attach. */
  offersResources: z.literal(true).optional(),
});
export type App = z.infer<typeof appSchema>;

export const appsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/apps',
    ...forChat,
    summary: 'The apps available to this user',
    query: pageQuery,
    response: listOf(appSchema),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/apps/:appId',
    ...forChat,
    summary: 'One app',
    params: z.strictObject({ appId: itemIdSchema }),
    response: appSchema,
  }),
};
