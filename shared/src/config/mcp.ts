import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { isRecord } from '../is-record.ts';

/** Maximum length of a resource URI. Matching one of megabytes would block everybody. */
const maxUriLength = 32 * 1024;

const paramsSchema = z
  .unknown()
  .refine(
    (params) =>
      !isRecord(params) || typeof params.uri !== 'string' || params.uri.length <= maxUriLength,
    `An address has at most ${maxUriLength} characters.`,
  );

/** A JSON-RPC 2.0 message. The Model Context Protocol defines its content. */
const messageSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  params: paramsSchema.optional(),
});

/** Maximum number of messages in a batch, from clients of a revision with batches. */
const maxMessages = 20;

const resourceSchema = z.object({
  resource: z.url(),
  resource_name: z.string(),
  authorization_servers: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
});

export const mcpApi = {
  resource: endpoint({
    method: 'GET',
    path: '/.well-known/oauth-protected-resource/mcp',
    access: 'public',
    summary: 'Authorization servers for `/mcp` (RFC 9728); 404 if there are none',
    response: resourceSchema,
  }),
  anyResource: endpoint({
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    access: 'public',
    summary: 'The same, for clients that ignore the path',
    response: resourceSchema,
  }),
  call: endpoint({
    method: 'POST',
    path: '/mcp',
    access: 'user',
    scope: 'mcp',
    summary:
      'The Model Context Protocol (streamable HTTP, stateless): skills and prompts as tools, prompts, resources and skills',
    body: z.union([messageSchema, z.array(messageSchema).min(1).max(maxMessages)]),
    response: z.unknown(),
  }),
  listen: endpoint({
    method: 'GET',
    path: '/mcp',
    access: 'user',
    scope: 'mcp',
    summary: 'Always 405: this server sends no unsolicited messages',
    response: z.unknown(),
  }),
};
