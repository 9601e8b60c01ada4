import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { toolLabelSchema } from './tools.ts';
import { toolConsents } from './tools-config.ts';

/** The tool's name for models. */
const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const adminToolSchema = z.object({
  /** `<source>/<name>`, as used by permissions and apps. */
  id: z.string(),
  /** Its name for models. */
  name: z.string(),
  title: z.string(),
  /** Key of its texts in `locales`, if it is built in. */
  toolKey: toolLabelSchema.shape.toolKey,
  description: z.string(),
  /** JSON schema of its arguments, from the source. */
  parameters: z.record(z.string(), z.unknown()),
  hints: z.object({
    readOnly: z.boolean(),
    destructive: z.boolean(),
    openWorld: z.boolean(),
    /** Whether the worst is assumed, because there is no trusted description. */
    isAssumed: z.boolean().optional(),
  }),
  /** SHA-256 of name, description and parameters. */
  digest: z.string(),
  enabled: z.boolean(),
  /** Whether users are asked before it runs. */
  consent: z.enum(toolConsents),
  /** The default of its source. */
  sourceConsent: z.enum(toolConsents),
  /** Whether an admin has approved the current definition, so that users are not asked. */
  approved: z.boolean(),
  /**
   * Whether its definition has changed since it was first seen: it is withheld until that is
   * accepted.
   */
  changed: z.boolean(),
  /** The accepted definition of a changed tool; omitted if none has been accepted. */
  was: z
    .object({
      title: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
    })
    .optional(),
  /** Why it cannot be offered to models. */
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
  /** Key of its title in `locales`, if it has one. */
  sourceKey: toolLabelSchema.shape.sourceKey,
  kind: z.enum(['builtin', 'mcp', 'skills', 'scripts']),
  enabled: z.boolean(),
  status: z.enum(['ready', 'idle', 'connecting', 'failed', 'sign-in']),
  /** The reason for the status, and what to do. */
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
    ...forAdmins('/api/admin/tools', 'Tool sources and their tools'),
    method: 'GET',
    response: z.object({ sources: z.array(adminToolSourceSchema) }),
  }),
  put: endpoint({
    ...forAdmins('/api/admin/tools/:name', 'Change a tool: enabled, consent, approval'),
    method: 'PUT',
    params: z.strictObject({ name: toolName }),
    body: z.strictObject({
      enabled: z.boolean().optional(),
      /** Null: the default of its source. */
      consent: z.enum(toolConsents).nullable().optional(),
      /** The reviewed digest; null revokes the approval. */
      approved: z.string().max(100).nullable().optional(),
      /** The digest of a changed definition to accept. */
      accepted: z.string().max(100).optional(),
    }),
    response: adminToolSchema,
  }),
  putSource: endpoint({
    ...forAdmins('/api/admin/tool-sources/:source', 'Enable or disable a tool source'),
    method: 'PUT',
    params: z.strictObject({ source: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) }),
    body: z.strictObject({ enabled: z.boolean() }),
    response: adminToolSourceSchema,
  }),
  connect: endpoint({
    ...forAdmins(
      '/api/admin/tool-sources/:source/connect',
      'Reconnect to a tool source that was unreachable',
    ),
    method: 'POST',
    params: z.strictObject({ source: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) }),
    response: adminToolSourceSchema,
  }),
  tryOut: endpoint({
    ...forAdmins('/api/admin/tools/:name/try', 'Call a tool with given arguments'),
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
