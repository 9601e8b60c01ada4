import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/**
 * A host that code may reach, such as `api.example.org`; `*.example.org` is all below it. Without a port
 * (`api.example.org:8443`) only the default ports of http and https are meant.
 */
export const hostPattern =
  /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_.-]{0,250}[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

export const skillToolSettingsSchema = z.object({
  /** It is code: nothing else is told settings, or kept to hosts. */
  runsCode: z.boolean(),
  /** Hosts that its code may reach. */
  hosts: z.array(z.string()),
  /** What its plugin asks for, in its order. */
  settings: z.array(
    z.object({
      name: z.string(),
      /** In the words of the plugin. */
      hint: z.string().optional(),
      required: z.boolean(),
      secret: z.boolean(),
      default: z.string().optional(),
      /** What was entered; never of a secret. */
      value: z.string().optional(),
      isSet: z.boolean(),
      /** A secret that stands in `config/skills.json`, where it is not encrypted. */
      inFile: z.boolean(),
    }),
  ),
});
export type SkillToolSettings = z.infer<typeof skillToolSettingsSchema>;

const path = '/api/admin/skills/:name/tool-settings';
const params = z.strictObject({ name: z.string().min(1).max(255) });

export const skillToolSettingsApi = {
  get: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    summary: 'What the code of a skill is told, and which hosts it may reach',
    params,
    response: skillToolSettingsSchema,
  }),
  put: endpoint({
    method: 'PUT',
    path,
    access: 'admin',
    summary: 'Enter what the code of a skill is told, and which hosts it may reach',
    params,
    body: z.strictObject({
      hosts: z.array(z.string().regex(hostPattern)).max(100).optional(),
      /** Null takes one back; what is left out stays. */
      settings: z.record(z.string().max(100), z.string().max(10_000).nullable()).optional(),
    }),
    response: skillToolSettingsSchema,
  }),
};
