import { z } from 'zod';
import { itemIdSchema } from './apps.ts';
import { endpoint } from './endpoint.ts';
import { listOf, pageQuery } from './list.ts';
import { localizedSchema } from './localized.ts';

export const modelProviders = [
  'openai',
  'openai-responses',
  'anthropic',
  'google',
  'mistral',
  'local',
  'demo',
] as const;
export type ModelProvider = (typeof modelProviders)[number];

export const thinkingSchema = z.looseObject({
  enabled: z.boolean().optional(),
  /** Tokens the model may think with, for vendors that count them. */
  budget: z.number().int().optional(),
  /** How hard to think, for vendors that name it. */
  effort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
});

/** `contents/models/<id>.json`: one language model. Unknown fields are kept. */
export const modelConfigSchema = z.looseObject({
  id: itemIdSchema,
  /** The vendor's name of the model. */
  modelId: z.string().min(1),
  name: localizedSchema,
  description: localizedSchema.optional(),
  provider: z.enum(modelProviders),
  /** A base (`https://host/v1`) or the full endpoint; empty is the vendor's own. */
  url: z.union([z.url({ protocol: /^https?$/ }), z.literal('')]).optional(),
  supportsTools: z.boolean().optional(),
  supportsVision: z.boolean().optional(),
  /** Tokens the model reads at most. */
  contextWindow: z.number().int().positive().optional(),
  maxOutputTokens: z.number().int().positive().optional(),
  thinking: thinkingSchema.optional(),
  default: z.boolean().optional(),
  enabled: z.boolean().optional(),
});
export type ModelConfig = z.infer<typeof modelConfigSchema>;

/** A model as a user sees it: no address, no key. */
export const modelSchema = z.object({
  id: z.string(),
  name: localizedSchema,
  description: localizedSchema,
  provider: z.enum(modelProviders),
  supportsTools: z.boolean(),
  supportsVision: z.boolean(),
  default: z.boolean(),
  /** For admins only: what keeps the model from being used ("needs OPENAI_API_KEY"). */
  needs: z.string().optional(),
});
export type Model = z.infer<typeof modelSchema>;

export const modelsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    summary: 'The models this user may choose',
    query: pageQuery,
    response: listOf(modelSchema),
  }),
};
