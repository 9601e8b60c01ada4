import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { leftPartSchema } from './skill-origin.ts';

/** A folder below `contents/plugins`, whose skills are only read. */
export const pluginSchema = z.object({
  /** The name of its folder. */
  id: z.string(),
  /** As it calls itself. */
  name: z.string(),
  enabled: z.boolean(),
  /** Whether an admin trusts it: shown with its skills. */
  trusted: z.boolean(),
  skills: z.array(
    z.object({
      name: z.string(),
      /** It wants to be offered in every app: only with an admin's consent. */
      wantsEverywhere: z.boolean(),
      /** It is offered in every app. */
      isEverywhere: z.boolean(),
    }),
  ),
  /** What of it has no effect here. */
  left: z.array(leftPartSchema),
  /** Why nothing of it can be used. */
  fault: z.string().optional(),
});
export type Plugin = z.infer<typeof pluginSchema>;

const path = '/api/admin/plugins/:id';
const params = z.strictObject({ id: z.string().min(1).max(255) });

export const pluginsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/plugins',
    access: 'admin',
    summary: 'The plugins that bring skills',
    response: z.object({ plugins: z.array(pluginSchema) }),
  }),
  update: endpoint({
    method: 'PATCH',
    path,
    access: 'admin',
    summary: 'Switch a plugin on or off, trust it, or offer what asks for it in every app',
    params,
    body: z.strictObject({
      enabled: z.boolean().optional(),
      trusted: z.boolean().optional(),
      /** Consents that skills of it are offered in every app, as far as they ask for it. */
      everywhere: z.literal(true).optional(),
    }),
    response: pluginSchema,
  }),
  remove: endpoint({
    method: 'DELETE',
    path,
    access: 'admin',
    summary: 'Delete a plugin, and its skills with it',
    params,
    response: z.object({ id: z.string() }),
  }),
};
