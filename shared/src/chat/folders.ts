import { z } from 'zod';
import { endpoint, forChat } from '../endpoint.ts';
import { folderName } from './folder-name.ts';

const params = z.strictObject({ name: folderName });

export const folderSchema = z.object({
  name: z.string(),
  /** Number of conversations in it, without archived ones. */
  conversations: z.number().int(),
});
export type Folder = z.infer<typeof folderSchema>;

export const foldersApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/folders',
    ...forChat,
    inFrame: false,
    summary:
      'Your conversation folders, by name. A conversation is moved by its `folder`; a folder exists as long as it is not empty',
    response: z.object({ items: z.array(folderSchema) }),
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/folders/:name',
    ...forChat,
    inFrame: false,
    summary: 'Rename a folder; merges it into an existing one of that name',
    params,
    body: z.strictObject({ name: folderName }),
    response: z.void(),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/folders/:name',
    ...forChat,
    inFrame: false,
    summary: 'Delete a folder and keep its conversations',
    params,
    response: z.void(),
  }),
};
