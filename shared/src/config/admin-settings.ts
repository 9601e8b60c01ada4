import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { configItemSchema } from './admin-config.ts';

/** `contents/config/platform.json`, and `settings` of `contents/config/skills.json`. */
export const settingsFiles = ['platform', 'skills'] as const;
export type SettingsFile = (typeof settingsFiles)[number];

/** Settings that only the operator changes, in the file; the page explains why. */
export const operatorSettings = {
  platform: ['oidcAuth', 'proxyAuth', 'placeholders'],
  skills: ['skillsDirectory', 'sources'],
} as const satisfies Record<SettingsFile, readonly string[]>;

/** Further settings that have no field on the page. */
export const unshownSettings: readonly string[] = ['localAuth.enabled', 'embedder.enabled'];

/** Settings about what the server connects to: only for administrators with all rights. */
export const fullAdminSettings = {
  platform: ['outbound', 'embedder'],
  skills: [],
} as const satisfies Record<SettingsFile, readonly string[]>;

export const settingsSchema = configItemSchema.extend({
  id: z.enum(settingsFiles),
  /** Defaults or overrides from the environment, by field path. */
  environment: z.array(
    z.object({
      path: z.string(),
      variable: z.string(),
      value: z.string(),
      /** Whether it overrides the field in the file. */
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
    summary: 'The settings of this installation, as in the file',
    params,
    response: settingsSchema,
  }),
  put: endpoint({
    method: 'PUT',
    path,
    access: 'admin',
    summary: 'Replaces the settings; those reserved for the operator must be unchanged',
    params,
    body: z.record(z.string(), z.unknown()),
    response: settingsSchema,
  }),
};
