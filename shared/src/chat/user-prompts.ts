import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { nameOf, withoutNul } from '../names.ts';

export const maxUserPrompts = 200;
export const maxPromptLength = 8000;
/** Prefix of user prompts in the palette; no other prompt id starts with it. */
export const userPromptPrefix = 'own:';

const promptWritten = z.strictObject({
  name: nameOf(100),
  /** `[name]` is a placeholder that is asked for before inserting. */
  text: z
    .string()
    .max(maxPromptLength, `At most ${maxPromptLength} characters.`)
    .transform(withoutNul)
    .refine((text) => text.trim() !== '', 'Write a text.'),
  /** Ids of the groups it is shared with. */
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
    summary: 'Your prompts, and the groups they can be shared with',
    response: z.object({
      items: z.array(userPromptSchema),
      groups: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/account/prompts',
    access: 'user',
    summary: 'Saves a prompt',
    body: promptWritten,
    response: userPromptSchema,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/account/prompts/:id',
    access: 'user',
    summary: 'Changes one of your prompts, or with whom it is shared',
    params,
    body: promptWritten,
    response: userPromptSchema,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/account/prompts/:id',
    access: 'user',
    summary: 'Deletes one of your prompts, also for those it is shared with',
    params,
    response: z.void(),
  }),
};

export const sharedPromptsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/shared-prompts',
    access: 'admin',
    summary: 'Prompts that users share with their groups, newest first',
    query: pageQuery,
    response: listOf(sharedPromptSchema),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/shared-prompts/:id',
    access: 'admin',
    summary: 'Stops sharing a prompt; its owner keeps it',
    params,
    response: z.void(),
  }),
};
