import { z } from 'zod';
import { endpoint, forChat } from '../endpoint.ts';
import { folderName } from './folder-name.ts';

const params = z.strictObject({ name: folderName });

export const folderSchema = z.object({
  name: z.string(),
  /** How many are in it, without those that are archived. */
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
      "The folders of the user's conversations, by name. A conversation is put into one by its `folder`; one is there as long as something is in it",
    response: z.object({ items: z.array(folderSchema) }),
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/folders/:name',
    ...forChat,
    inFrame: false,
    summary: 'Give a folder another name; where there is one of that name, both become one',
    params,
    body: z.strictObject({ name: folderName }),
    response: z.void(),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/folders/:name',
    ...forChat,
    inFrame: false,
    summary: 'Remove a folder; the conversations in it stay',
    params,
    response: z.void(),
  }),
};
