import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint, forChat } from '../endpoint.ts';
import { attachmentSchema } from './attachments.ts';

/** A tool server with resources to attach. Titles and descriptions come from the server. */
export const resourceServerSchema = z.object({
  id: z.string(),
  title: z.string(),
  resources: z.array(
    z.object({
      uri: z.string(),
      title: z.string(),
      description: z.string(),
      /** In bytes. */
      size: z.number().int().optional(),
    }),
  ),
  /** Why its resources cannot be listed. */
  problem: z.string().optional(),
});
export type ResourceServer = z.infer<typeof resourceServerSchema>;

const params = z.strictObject({ appId: itemIdSchema });

/** Resources of tool servers. */
export const resourcesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/apps/:appId/resources',
    ...forChat,
    summary: 'Resources of tool servers that can be attached in an app; asks each server',
    params,
    response: z.object({ items: z.array(resourceServerSchema) }),
  }),
  attach: endpoint({
    method: 'POST',
    path: '/api/apps/:appId/resources',
    ...forChat,
    summary: 'Reads a resource of a server and stores it as an uploaded file',
    params,
    body: z.strictObject({
      server: z.string().min(1).max(100),
      uri: z.string().min(1).max(2000),
      /** For a temporary conversation: it is only kept in memory, as long as the conversation. */
      temporary: z.boolean().optional(),
    }),
    response: attachmentSchema,
  }),
};
