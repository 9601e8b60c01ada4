import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/**
 * A host that code may reach, such as `api.example.org`; `*.example.org` matches all subdomains.
 * Without a port (`api.example.org:8443`), only the default ports of HTTP and HTTPS match.
 */
export const hostPattern =
  /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_.-]{0,250}[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

export const skillToolSettingsSchema = z.object({
  /** Whether it has code: otherwise settings and hosts have no effect. */
  runsCode: z.boolean(),
  /** Allowlist of hosts for its code. */
  hosts: z.array(z.string()),
  /** Settings that its plugin declares, in order. */
  settings: z.array(
    z.object({
      name: z.string(),
      /** Description by the plugin. */
      hint: z.string().optional(),
      required: z.boolean(),
      secret: z.boolean(),
      default: z.string().optional(),
      /** The stored value; never of a secret. */
      value: z.string().optional(),
      isSet: z.boolean(),
      /** A secret that is stored unencrypted in `config/skills.json`. */
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
    summary: "Settings and allowed hosts of a skill's code",
    params,
    response: skillToolSettingsSchema,
  }),
  put: endpoint({
    method: 'PUT',
    path,
    access: 'admin',
    summary: "Changes settings and allowed hosts of a skill's code",
    params,
    body: z.strictObject({
      hosts: z.array(z.string().regex(hostPattern)).max(100).optional(),
      /** Null removes a value; omitted ones are unchanged. */
      settings: z.record(z.string().max(100), z.string().max(10_000).nullable()).optional(),
    }),
    response: skillToolSettingsSchema,
  }),
};
