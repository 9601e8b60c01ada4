import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint, forChat } from '../endpoint.ts';
import { attachmentSchema } from './attachments.ts';

/** A server of tools that has something to attach. Titles and descriptions are its own words. */
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
  /** Why it lists nothing. */
  problem: z.string().optional(),
});
export type ResourceServer = z.infer<typeof resourceServerSchema>;

const params = z.strictObject({ appId: itemIdSchema });

/** What servers of tools offer to be attached. */
export const resourcesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/apps/:appId/resources',
    ...forChat,
    summary: 'What servers of tools offer to be attached in an app: each of them is asked',
    params,
    response: z.object({ items: z.array(resourceServerSchema) }),
  }),
  attach: endpoint({
    method: 'POST',
    path: '/api/apps/:appId/resources',
    ...forChat,
    summary: 'Reads a resource of a server, to be sent with a message as an uploaded file',
    params,
    body: z.strictObject({
      server: z.string().min(1).max(100),
      uri: z.string().min(1).max(2000),
      /** For a temporary conversation: it is kept in memory, and no longer than that. */
      temporary: z.boolean().optional(),
    }),
    response: attachmentSchema,
  }),
};
