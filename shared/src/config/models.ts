import { z } from 'zod';
import { endpoint, forChat } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { itemIdSchema } from './item-id.ts';
import { localizedSchema } from './localized.ts';

export const thinkingSchema = z.looseObject({
  enabled: z.boolean().optional(),
  /** Tokens the model may think with, for vendors that count them. */
  budget: z.number().int().optional(),
  /** How hard to think, for vendors that name it. */
  effort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
});

const priceSchema = z.number().min(0).max(1_000_000);

/** What a million tokens cost. */
export const pricesSchema = z.looseObject({
  input: priceSchema,
  /** Of those read from the provider's prompt cache; as `input` when left out. */
  cachedInput: priceSchema.optional(),
  /** Of those put into it, for vendors that count them; as `input` when left out. */
  cacheWrite: priceSchema.optional(),
  output: priceSchema,
  /** ISO 4217; US dollars when left out. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'A currency has three capitals, such as EUR.')
    .optional(),
});
export type Prices = z.infer<typeof pricesSchema>;

/**
 * `contents/models/<id>.json`: one language model. Unknown fields are kept. Which providers there are,
 * and whose key is whose, the server alone knows.
 */
export const modelConfigSchema = z.looseObject({
  id: itemIdSchema,
  /** The vendor's name of the model. */
  modelId: z.string().min(1),
  name: localizedSchema,
  description: localizedSchema.optional(),
  provider: z.string().min(1),
  /** A base (`https://host/v1`) or the full endpoint; empty is the vendor's own. */
  url: z
    .union([
      z.url({ protocol: /^https?$/ }).refine(hasNoUserinfo, {
        error: 'An address holds no name and no password: a key comes from the environment.',
      }),
      z.literal(''),
    ])
    .optional(),
  /** The environment variable that holds its key; left out, one named after the id, or its vendor's. */
  apiKeyEnv: z
    .string()
    .regex(
      /^[A-Z][A-Z0-9_]*_API_KEY$/,
      'The variable of a key has capitals, digits and underscores, and ends in _API_KEY.',
    )
    .optional(),
  supportsTools: z.boolean().optional(),
  supportsVision: z.boolean().optional(),
  /** Tokens the model reads at most. */
  contextWindow: z.number().int().positive().optional(),
  maxOutputTokens: z.number().int().positive().optional(),
  thinking: thinkingSchema.optional(),
  /** Shown, and added up, where they are given. */
  prices: pricesSchema.optional(),
  default: z.boolean().optional(),
  enabled: z.boolean().optional(),
});
export type ModelConfig = z.infer<typeof modelConfigSchema>;

function hasNoUserinfo(url: string): boolean {
  return !/^\w+:[/\\]*[^/\\?#]*@/.test(url);
}

/** A model as a user sees it: no address, no key. */
export const modelSchema = z.object({
  id: z.string(),
  name: localizedSchema,
  description: localizedSchema,
  provider: z.string(),
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
    ...forChat,
    summary: 'The models this user may choose',
    query: pageQuery,
    response: listOf(modelSchema),
  }),
};
