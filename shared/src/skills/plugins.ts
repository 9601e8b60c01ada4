import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { leftPartSchema } from './skill-origin.ts';

/** A folder in `contents/plugins`, whose skills are read-only. */
export const pluginSchema = z.object({
  /** Name of its folder. */
  id: z.string(),
  /** Its own name. */
  name: z.string(),
  enabled: z.boolean(),
  /** Whether an admin trusts it; displayed with its skills. */
  trusted: z.boolean(),
  skills: z.array(
    z.object({
      name: z.string(),
      /** It asks to be offered in every app, which needs an admin's consent. */
      wantsEverywhere: z.boolean(),
      /** It is offered in every app. */
      isEverywhere: z.boolean(),
    }),
  ),
  /** Parts of it that have no effect here. */
  left: z.array(leftPartSchema),
  /** Why it cannot be used. */
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
    summary: 'The plugins with skills',
    response: z.object({ plugins: z.array(pluginSchema) }),
  }),
  update: endpoint({
    method: 'PATCH',
    path,
    access: 'admin',
    summary: 'Enable or disable a plugin, trust it, or allow it in every app',
    params,
    body: z.strictObject({
      enabled: z.boolean().optional(),
      trusted: z.boolean().optional(),
      /** Consent that its skills are offered in every app, if they ask for it. */
      everywhere: z.literal(true).optional(),
    }),
    response: pluginSchema,
  }),
  remove: endpoint({
    method: 'DELETE',
    path,
    access: 'admin',
    summary: 'Delete a plugin with its skills',
    params,
    response: z.object({ id: z.string() }),
  }),
};
