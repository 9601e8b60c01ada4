import { z } from 'zod';
import { parseWith } from '../describe-issue.ts';
import { type Localized, localizedSchema } from './localized.ts';

/** The id of a server: the first part of its tools' names. */
const serverIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    'The name of a server has letters, digits, dashes and underscores, at most 64.',
  );

/** Our own sources: a permission for one of them must not cover all tools of a server. */
const ownSources = ['builtin', 'skills', 'scripts', 'knowhow'];

const addressSchema = z.url({
  protocol: /^https?$/,
  error: 'Write an address that begins with http:// or https://.',
});
const headersSchema = z.record(
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'Not the name of a header.'),
  z.string().regex(/^[^\r\n\0]*$/, 'The value of a header is one line.'),
);
const seconds = (max: number) => z.number().min(1).max(max);

/** Why a server with the deprecated SSE transport is not used. */
export const replacedTransport =
  'The transport "sse" has been replaced by streamable HTTP. Ask for the address of that, and leave "type" out.';

const transportTypes = ['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'] as const;

/** How a server is reached: by URL, or by a command started on this machine. */
const reachSchema = z.looseObject({
  type: z.enum(transportTypes).optional(),
  url: addressSchema.optional(),
  headers: headersSchema.optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).max(200).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().min(1).optional(),
});

/** `limits` of a server. */
export const mcpLimitsSchema = z.looseObject({
  /** Timeout of the connection. */
  connectSeconds: seconds(600).default(30),
  /** Timeout of a call; restarts with each progress notification. */
  callSeconds: seconds(3600).default(60),
  /** Timeout of a call regardless of progress. */
  maxCallSeconds: seconds(24 * 3600).default(600),
  /** Idle time without a call, after which the connection is closed. */
  idleMinutes: z.number().min(1).max(10_080).default(15),
});

const serverSchema = reachSchema
  .extend({
    enabled: z.boolean().optional(),
    disabled: z.boolean().optional(),
    title: localizedSchema.optional(),
    name: localizedSchema.optional(),
    description: localizedSchema.optional(),
    /** Only members of these groups get its tools, in addition to `permissions.tools`. */
    groups: z.array(z.string()).optional(),
    /** Allowlist of tools; a trailing `*` is a wildcard. */
    tools: z.array(z.string()).optional(),
    allowedTools: z.array(z.string()).optional(),
    excludedTools: z.array(z.string()).optional(),
    /** Whether its skills are used as well. */
    skills: z.boolean().optional(),
    /** Whether its tool annotations (such as read-only) are trusted. */
    trusted: z.boolean().optional(),
    /** Omitted: users are asked, unless a trusted server marks the tool as read-only. */
    consent: z.enum(['ask', 'never']).optional(),
    limits: mcpLimitsSchema.prefault({}),
    timeoutMs: z.number().int().min(1000).max(3_600_000).optional(),
    /** The format of AnythingLLM. */
    anythingllm: z
      .looseObject({
        autoStart: z.boolean().optional(),
        suppressedTools: z.array(z.string()).optional(),
      })
      .optional(),
    transport: reachSchema.or(z.string()).optional(),
    auth: z.looseObject({ type: z.string().optional() }).optional(),
  })
  .superRefine((server, context) => {
    const { url, command } = reachOf(server);
    if ((url === undefined) === (command === undefined)) {
      const message =
        url === undefined
          ? 'Say where the server is: "url", or "command" for one that is started here.'
          : 'A server has either "url" or "command".';
      context.addIssue({ code: 'custom', path: [url ? 'command' : 'url'], message });
    }
  });

const namedSchema = z.record(z.string(), serverSchema);
const listedSchema = z.array(serverSchema.extend({ id: z.string() }));

/** By name or in a list. Issues are reported for the form that is used. */
function namedOrListed(value: unknown, context: z.RefinementCtx) {
  const { data, error } = parseWith(Array.isArray(value) ? listedSchema : namedSchema, value);
  for (const { path, message } of error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
  return data;
}

/**
 * `contents/config/mcp.json`: MCP servers. Three formats are accepted: `mcpServers` as in most
 * products, `servers` by name, and `servers` as a list with ids as in iHub. Unknown fields are
 * preserved.
 *
 * @param ownTools names of built-in tools, which no server may have
 */
export function mcpConfigSchema(ownTools: readonly string[]) {
  const ownNames = [...ownSources, ...ownTools];
  return z
    .looseObject({
      mcpServers: namedSchema.optional(),
      servers: z.unknown().transform(namedOrListed).optional(),
      security: z.looseObject({ allowedHosts: z.array(z.string()).optional() }).optional(),
    })
    .superRefine((config, context) => {
      const seen = new Set<string>();
      for (const { id, path } of entriesOf(config)) {
        const wrong = parseWith(serverIdSchema, id).error?.issues[0]?.message;
        if (wrong !== undefined) {
          context.addIssue({ code: 'custom', path, message: wrong });
        }
        if (ownNames.includes(id.toLowerCase())) {
          const message = `"${id}" is a name of Knowhow's own tools. Call the server something else.`;
          context.addIssue({ code: 'custom', path, message });
        }
        if (seen.has(id.toLowerCase())) {
          const message = `Another server is already called "${id}".`;
          context.addIssue({ code: 'custom', path, message });
        }
        seen.add(id.toLowerCase());
      }
    });
}
export type McpConfig = z.infer<ReturnType<typeof mcpConfigSchema>>;
type WrittenServer = z.infer<typeof serverSchema>;

interface McpServerBase {
  id: string;
  title: Localized;
  enabled: boolean;
  /** Undefined for everyone with a permission for its tools. */
  groups: readonly string[] | undefined;
  tools: readonly string[];
  excludedTools: readonly string[];
  /** Whether its skills are used. */
  skills: boolean;
  trusted: boolean;
  consent: 'ask' | 'never' | undefined;
  /** In milliseconds. */
  limits: McpLimits;
  /** As written, for sign-in. */
  auth: Readonly<Record<string, unknown>> | undefined;
  /** Why it is unusable, although the file is valid. */
  unusable: string | undefined;
}

export interface McpLimits {
  connectMs: number;
  callMs: number;
  maxCallMs: number;
  idleMs: number;
}

export interface McpHttpServer extends McpServerBase {
  kind: 'http';
  url: string;
  headers: Readonly<Record<string, string>>;
}

export interface McpStdioServer extends McpServerBase {
  kind: 'stdio';
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string | undefined;
}

/** A server as configured, independent of the format. */
export type McpServer = McpHttpServer | McpStdioServer;

/** The servers of a file, in order, including disabled ones. */
export function listMcpServers(config: McpConfig): McpServer[] {
  return entriesOf(config).map(({ id, server }) => serverOf(id, server));
}

interface Entry {
  id: string;
  server: WrittenServer;
  path: (string | number)[];
}

function entriesOf({ mcpServers = {}, servers = {} }: McpConfig): Entry[] {
  const named = (key: string, record: Record<string, WrittenServer>) =>
    Object.entries(record).map(([id, server]) => ({ id, server, path: [key, id] }));
  const listed = Array.isArray(servers)
    ? servers.map((server, index) => ({ id: server.id, server, path: ['servers', index, 'id'] }))
    : named('servers', servers);
  return [...named('mcpServers', mcpServers), ...listed];
}

function serverOf(id: string, written: WrittenServer): McpServer {
  const { type, url, headers = {}, command, args = [], env = {}, cwd } = reachOf(written);
  const base: McpServerBase = {
    id,
    title: written.title ?? written.name ?? id,
    enabled:
      (written.enabled ?? true) &&
      written.disabled !== true &&
      written.anythingllm?.autoStart !== false,
    groups: written.groups,
    tools: written.tools ?? written.allowedTools ?? ['*'],
    excludedTools: [
      ...(written.excludedTools ?? []),
      ...suppressedTools(id, written.anythingllm?.suppressedTools),
    ],
    skills: written.skills ?? false,
    trusted: written.trusted ?? false,
    consent: written.consent,
    limits: limitsOf(written),
    auth: written.auth,
    unusable: unusableOf(type, written),
  };
  return url === undefined
    ? { ...base, kind: 'stdio', command: command ?? '', args, env, cwd }
    : { ...base, kind: 'http', url, headers };
}

/** AnythingLLM uses a tool's plain name, and in chats the name prefixed with the server's. */
function suppressedTools(id: string, names: readonly string[] = []): string[] {
  return names.flatMap((name) =>
    name.startsWith(`${id}-`) ? [name, name.slice(id.length + 1)] : [name],
  );
}

function reachOf(written: WrittenServer | z.input<typeof serverSchema>) {
  const { transport } = written;
  return typeof transport === 'object' ? { ...written, ...transport } : written;
}

const second = 1000;

function limitsOf({ limits, timeoutMs }: WrittenServer): McpLimits {
  const { connectSeconds, callSeconds, maxCallSeconds, idleMinutes } = limits;
  const callMs = timeoutMs ?? callSeconds * second;
  return {
    connectMs: connectSeconds * second,
    callMs,
    maxCallMs: Math.max(callMs, maxCallSeconds * second),
    idleMs: idleMinutes * 60 * second,
  };
}

/** Rejects what only another product can read, and unsupported transports. */
function unusableOf(type: string | undefined, { auth }: WrittenServer): string | undefined {
  if (type === 'sse') {
    return replacedTransport;
  }
  const reference = Object.keys(auth ?? {}).find((key) => key.endsWith('Ref'));
  return reference === undefined
    ? undefined
    : `"auth.${reference}" names a secret of another product. Write the header under "headers" instead, with a variable such as \${MCP_TOKEN}.`;
}
