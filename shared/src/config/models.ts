import { z } from 'zod';
import { endpoint, forChat } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { itemIdSchema } from './item-id.ts';
import { localizedSchema } from './localized.ts';

export const thinkingSchema = z.looseObject({
  enabled: z.boolean().optional(),
  /** Token budget for thinking, for vendors that count it. */
  budget: z.number().int().optional(),
  /** Level of effort, for vendors that name it. */
  effort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
});

const priceSchema = z.number().min(0).max(1_000_000);

/** Prices per million tokens. */
export const pricesSchema = z.looseObject({
  input: priceSchema,
  /** For input from the provider's prompt cache; defaults to `input`. */
  cachedInput: priceSchema.optional(),
  /** For input written to the cache, for vendors that charge it; defaults to `input`. */
  cacheWrite: priceSchema.optional(),
  output: priceSchema,
  /** ISO 4217; defaults to US dollars. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'A currency has three capitals, such as EUR.')
    .optional(),
});
export type Prices = z.infer<typeof pricesSchema>;

/** In tokens, for models whose file does not name it. */
export const defaultContextWindow = 32_000;

/**
 * `contents/models/<id>.json`: a language model. Unknown fields are preserved. Only the server
 * knows the providers, and which key belongs to which.
 */
export const modelConfigSchema = z.looseObject({
  id: itemIdSchema,
  /** The vendor's name of the model. */
  modelId: z.string().min(1),
  name: localizedSchema,
  description: localizedSchema.optional(),
  provider: z.string().min(1),
  /** A base URL (`https://host/v1`) or the full endpoint; empty for the vendor's own. */
  url: z
    .union([
      z.url({ protocol: /^https?$/ }).refine(hasNoUserinfo, {
        error:
          'An address must not contain a user name or password. Keys come from the environment.',
      }),
      z.literal(''),
    ])
    .optional(),
  /** The environment variable with its key; defaults to one named after the id, or the vendor's. */
  apiKeyEnv: z
    .string()
    .regex(
      /^[A-Z][A-Z0-9_]*_API_KEY$/,
      'The variable of a key has capitals, digits and underscores, and ends in _API_KEY.',
    )
    .optional(),
  supportsTools: z.boolean().default(true),
  supportsVision: z.boolean().default(false),
  /** Maximum number of input tokens. */
  contextWindow: z.number().int().min(1).optional().meta({ default: defaultContextWindow }),
  maxOutputTokens: z.number().int().min(1).optional(),
  thinking: thinkingSchema.optional(),
  /** Costs are displayed and summed if prices are given. */
  prices: pricesSchema.optional(),
  default: z.boolean().default(false),
  enabled: z.boolean().default(true),
});
export type ModelConfig = z.infer<typeof modelConfigSchema>;

function hasNoUserinfo(url: string): boolean {
  return !/^\w+:[/\\]*[^/\\?#]*@/.test(url);
}

/** A model as a user sees it, without URL and key. */
export const modelSchema = z.object({
  id: z.string(),
  name: localizedSchema,
  description: localizedSchema,
  provider: z.string(),
  supportsTools: z.boolean(),
  supportsVision: z.boolean(),
  default: z.boolean(),
  /** For admins only: why the model is unusable ("needs OPENAI_API_KEY"). */
  needs: z.string().optional(),
});
export type Model = z.infer<typeof modelSchema>;

export const modelsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/models',
    ...forChat,
    summary: 'The models available to this user',
    query: pageQuery,
    response: listOf(modelSchema),
  }),
};
