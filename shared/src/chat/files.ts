import { z } from 'zod';
import { endpoint, forChat, uploadEndpoint } from '../endpoint.ts';
import { attachmentSchema, maxFileBytes } from './attachments.ts';

export const filesApi = {
  upload: uploadEndpoint({
    method: 'POST',
    path: '/api/files',
    ...forChat,
    summary:
      'Upload a picture or document to send with a message (`attachments` of `chat.turn`). Unsent files are deleted after a day',
    query: z.strictObject({
      /** Name of a file that is sent as raw bytes. */
      name: z.string().min(1).max(1000).optional(),
      /** For a temporary conversation: it is only kept in memory, as long as the conversation. */
      temporary: z.enum(['true', 'false']).optional(),
    }),
    maxBytes: maxFileBytes,
    response: attachmentSchema,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/files/:id',
    ...forChat,
    summary: 'Delete an uploaded file that has not been sent',
    params: z.strictObject({ id: z.string().min(1).max(100) }),
    response: z.void(),
  }),
};
