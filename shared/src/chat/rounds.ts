import { z } from 'zod';

/** A round of tool calls requested by the model. */
export const roundSchema = z.object({
  /** End of the model's text of this round, as an offset in `content`. */
  end: z.number().int(),
  /** Number of `toolCalls` in this round. */
  calls: z.number().int(),
});

/** One request to the model. */
export const modelCallSchema = z.object({
  /** Tokens as counted by the provider. */
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Our estimate of the request's tokens. */
  estimated: z.number().int(),
});
