import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { localizedSchema } from '../config/localized.ts';
import { endpoint, forChat } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';

export const promptVariableSchema = z.looseObject({
  name: z.string().regex(/^\w{1,50}$/, 'A variable has letters, digits and underscores.'),
  label: localizedSchema.optional(),
  type: z.enum(['string', 'text', 'select']).default('string'),
  required: z.boolean().default(false),
  defaultValue: localizedSchema.optional(),
  /** The options of a `select`. */
  options: z.array(localizedSchema).optional(),
});

/**
 * `contents/prompts/<id>.json`: a text with `[variables]`, offered by `/`. Unknown fields are
 * preserved.
 */
export const promptConfigSchema = z.looseObject({
  id: itemIdSchema,
  order: z.number().optional(),
  name: localizedSchema,
  description: localizedSchema.optional(),
  category: z.string().optional(),
  prompt: localizedSchema,
  variables: z.array(promptVariableSchema).optional(),
  enabled: z.boolean().default(true),
});
export type PromptConfig = z.infer<typeof promptConfigSchema>;

/** A prompt as a user sees it. `[name]` in `prompt` stands for the variable of that name. */
export const promptSchema = z.object({
  id: z.string(),
  name: localizedSchema,
  description: localizedSchema,
  category: z.string().optional(),
  /** Title of the tool server that provides the text (`fill`). */
  server: z.string().optional(),
  /** For a prompt written by a user: whether it is the caller's own, or who shares it. */
  own: z.literal(true).optional(),
  sharedBy: z.string().optional(),
  prompt: localizedSchema,
  variables: z.array(
    z.object({
      name: z.string(),
      label: localizedSchema,
      type: z.enum(['string', 'text', 'select']),
      required: z.boolean(),
      defaultValue: localizedSchema,
      options: z.array(localizedSchema),
    }),
  ),
});
export type Prompt = z.infer<typeof promptSchema>;

export const promptsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/prompts',
    ...forChat,
    summary: 'The prompts available to this user',
    query: pageQuery,
    response: listOf(promptSchema),
  }),
  fill: endpoint({
    method: 'POST',
    path: '/api/prompts/fill',
    ...forChat,
    summary: "The text of a tool server's prompt, with these values",
    body: z.strictObject({
      id: z.string().min(1).max(400),
      values: z.record(z.string().max(300), z.string().max(10_000)),
    }),
    response: z.object({ text: z.string() }),
  }),
};
