import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { nameOf, withoutNul } from '../names.ts';

export const maxUserPrompts = 200;
export const maxPromptLength = 8000;
/** Of a prompt for the palette, in front of its own id: no other prompt's begins so. */
export const userPromptPrefix = 'own:';

const promptWritten = z.strictObject({
  name: nameOf(100),
  /** `[name]` in it is asked for before it is inserted. */
  text: z
    .string()
    .max(maxPromptLength, `At most ${maxPromptLength} characters.`)
    .transform(withoutNul)
    .refine((text) => text.trim() !== '', 'Write a text.'),
  /** Ids of the groups whose members may use it, too. */
  groups: z.array(itemIdSchema).max(50),
});

const userPromptSchema = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  groups: z.array(z.string()),
  updatedAt: z.string(),
});
export type UserPrompt = z.infer<typeof userPromptSchema>;

const sharedPromptSchema = userPromptSchema.extend({ owner: z.string() });
export type SharedPrompt = z.infer<typeof sharedPromptSchema>;

const params = z.strictObject({ id: z.uuid().toLowerCase() });

export const userPromptsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/account/prompts',
    access: 'user',
    summary: 'The own prompts, and the groups they can be shared with',
    response: z.object({
      items: z.array(userPromptSchema),
      groups: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/account/prompts',
    access: 'user',
    summary: 'Keeps a text as a prompt of one’s own',
    body: promptWritten,
    response: userPromptSchema,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/account/prompts/:id',
    access: 'user',
    summary: 'Changes a prompt of one’s own, or with whom it is shared',
    params,
    body: promptWritten,
    response: userPromptSchema,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/account/prompts/:id',
    access: 'user',
    summary: 'Deletes a prompt of one’s own, also for those it is shared with',
    params,
    response: z.void(),
  }),
};

export const sharedPromptsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/shared-prompts',
    access: 'admin',
    summary: 'The prompts that users share with their groups, the newest first',
    query: pageQuery,
    response: listOf(sharedPromptSchema),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/shared-prompts/:id',
    access: 'admin',
    summary: 'Ends the sharing of a prompt; its owner keeps it',
    params,
    response: z.void(),
  }),
};
