import { z } from 'zod';
import { endpoint, forChat, uploadEndpoint } from '../endpoint.ts';
import { attachmentSchema, maxFileBytes } from './attachments.ts';

export const filesApi = {
  upload: uploadEndpoint({
    method: 'POST',
    path: '/api/files',
    ...forChat,
    summary:
      'Upload a file to be sent with a message (`attachments` of `chat.turn`): a picture, or what has a text. It is kept for a day until it is sent',
    query: z.strictObject({
      /** Of a file that comes as bare bytes. */
      name: z.string().min(1).max(1000).optional(),
      /** For a temporary conversation: it is kept in memory, and no longer than that. */
      temporary: z.enum(['true', 'false']).optional(),
    }),
    maxBytes: maxFileBytes,
    response: attachmentSchema,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/files/:id',
    ...forChat,
    summary: 'Remove an uploaded file that is not sent yet',
    params: z.strictObject({ id: z.string().min(1).max(100) }),
    response: z.void(),
  }),
};
