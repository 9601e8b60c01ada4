import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { configItemSchema } from './admin-config.ts';

/** `contents/config/platform.json`, and `settings` of `contents/config/skills.json`. */
export const settingsFiles = ['platform', 'skills'] as const;
export type SettingsFile = (typeof settingsFiles)[number];

/** Whoever runs the server decides on these, in the file; why, the page says. */
export const settingsOfOperator = {
  platform: ['oidcAuth', 'proxyAuth', 'placeholders'],
  skills: ['skillsDirectory', 'sources'],
} as const satisfies Record<SettingsFile, readonly string[]>;

/** These say what the server itself reaches: for administrators with all rights. */
export const settingsOfFullAdmins = {
  platform: ['outbound', 'embedder'],
  skills: [],
} as const satisfies Record<SettingsFile, readonly string[]>;

export const settingsSchema = configItemSchema.extend({
  id: z.enum(settingsFiles),
  /** What the environment says where the file says nothing, or whatever it says; by the path of a field. */
  environment: z.array(
    z.object({
      path: z.string(),
      variable: z.string(),
      value: z.string(),
      /** It counts in any case: the field has no effect. */
      wins: z.boolean(),
    }),
  ),
});
export type Settings = z.infer<typeof settingsSchema>;

const params = z.strictObject({ id: z.enum(settingsFiles) });
const path = '/api/admin/settings/:id';

export const adminSettingsApi = {
  get: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    summary: 'How this installation behaves, as it is in its file',
    params,
    response: settingsSchema,
  }),
  put: endpoint({
    method: 'PUT',
    path,
    access: 'admin',
    summary:
      'Writes the settings in place of those that are there; what only the file decides has to be as it is',
    params,
    body: z.record(z.string(), z.unknown()),
    response: settingsSchema,
  }),
};
