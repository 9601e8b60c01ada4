import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { toolConsents } from './tools-config.ts';

/** What models call a tool. */
const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const adminToolSchema = z.object({
  /** `<source>/<name>`: what rights and apps call it. */
  id: z.string(),
  /** What models call it. */
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** JSON schema of its arguments, as the source gives it. */
  parameters: z.record(z.string(), z.unknown()),
  hints: z.object({
    readOnly: z.boolean(),
    destructive: z.boolean(),
    openWorld: z.boolean(),
    /** Whether the worst is assumed, since nothing that counts says what it does. */
    isAssumed: z.boolean().optional(),
  }),
  /** SHA-256 of name, description and parameters. */
  digest: z.string(),
  enabled: z.boolean(),
  /** Whether users are asked before it runs. */
  consent: z.enum(toolConsents),
  /** Whether its source says that they are to be. */
  sourceConsent: z.enum(toolConsents),
  /** Whether an admin has approved it as it is: then nobody is asked. */
  approved: z.boolean(),
  /** Whether it is no longer what it was when it was first seen: nobody gets it until that is accepted. */
  changed: z.boolean(),
  /** What of a changed tool was accepted before; left out for one that nobody has accepted yet. */
  was: z
    .object({
      title: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
    })
    .optional(),
  /** Why it cannot be given to models. */
  fault: z.string().optional(),
  /** Ids of the groups that grant it, and of the apps that offer it. */
  groups: z.array(z.string()),
  apps: z.array(z.string()),
  lastError: z.string().optional(),
});
export type AdminTool = z.infer<typeof adminToolSchema>;

export const adminToolSourceSchema = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['builtin', 'mcp', 'skills', 'scripts']),
  enabled: z.boolean(),
  status: z.enum(['ready', 'idle', 'connecting', 'failed', 'sign-in']),
  /** Why it is so, and what to do. */
  message: z.string().optional(),
  /** ISO 8601, UTC. */
  since: z.string().optional(),
  tools: z.array(adminToolSchema),
});
export type AdminToolSource = z.infer<typeof adminToolSourceSchema>;

const forAdmins = <const Path extends string>(path: Path, summary: string) => ({
  path,
  access: 'admin' as const,
  summary,
});

export const adminToolsApi = {
  list: endpoint({
    ...forAdmins('/api/admin/tools', 'The sources of tools, and all they bring'),
    method: 'GET',
    response: z.object({ sources: z.array(adminToolSourceSchema) }),
  }),
  put: endpoint({
    ...forAdmins(
      '/api/admin/tools/:name',
      'Decide on a tool: on, whether users are asked, approval',
    ),
    method: 'PUT',
    params: z.strictObject({ name: toolName }),
    body: z.strictObject({
      enabled: z.boolean().optional(),
      /** Null: as its source says. */
      consent: z.enum(toolConsents).nullable().optional(),
      /** The digest that has been looked at; null takes the approval back. */
      approved: z.string().max(100).nullable().optional(),
      /** The digest of a changed tool that is to be taken as it is. */
      accepted: z.string().max(100).optional(),
    }),
    response: adminToolSchema,
  }),
  putSource: endpoint({
    ...forAdmins('/api/admin/tool-sources/:source', 'Switch a source of tools on or off'),
    method: 'PUT',
    params: z.strictObject({ source: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) }),
    body: z.strictObject({ enabled: z.boolean() }),
    response: adminToolSourceSchema,
  }),
  connect: endpoint({
    ...forAdmins(
      '/api/admin/tool-sources/:source/connect',
      'Try again to reach a source of tools that could not be reached',
    ),
    method: 'POST',
    params: z.strictObject({ source: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) }),
    response: adminToolSourceSchema,
  }),
  tryOut: endpoint({
    ...forAdmins('/api/admin/tools/:name/try', 'Call a tool with arguments of your own'),
    method: 'POST',
    params: z.strictObject({ name: toolName }),
    body: z.strictObject({ input: z.record(z.string(), z.unknown()) }),
    response: z.object({
      content: z.string(),
      isError: z.boolean(),
      /** Milliseconds. */
      ms: z.number().int(),
    }),
  }),
};
