import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { isRecord } from '../is-record.ts';

/** Characters of the address of a resource. To look for one of megabytes would hold up everybody. */
const longestUri = 32 * 1024;

const paramsSchema = z
  .unknown()
  .refine(
    (params) =>
      !isRecord(params) || typeof params.uri !== 'string' || params.uri.length <= longestUri,
    `An address has at most ${longestUri} characters.`,
  );

/** A message of JSON-RPC 2.0. What is in it, the Model Context Protocol says. */
const messageSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  params: paramsSchema.optional(),
});

/** Messages that may come at once, from clients of the revision that knew batches. */
const mostMessages = 20;

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
    summary: 'Who makes access tokens for `/mcp` (RFC 9728); 404 where nobody does',
    response: resourceSchema,
  }),
  anyResource: endpoint({
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    access: 'public',
    summary: 'The same, for clients that do not look below the path',
    response: resourceSchema,
  }),
  call: endpoint({
    method: 'POST',
    path: '/mcp',
    access: 'user',
    scope: 'mcp',
    summary:
      'The Model Context Protocol (streamable HTTP, stateless): skills and prompts as tools, prompts, resources and skills',
    body: z.union([messageSchema, z.array(messageSchema).min(1).max(mostMessages)]),
    response: z.unknown(),
  }),
  listen: endpoint({
    method: 'GET',
    path: '/mcp',
    access: 'user',
    scope: 'mcp',
    summary: 'Always 405: this server sends nothing of its own accord',
    response: z.unknown(),
  }),
};
