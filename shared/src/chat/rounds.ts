import { z } from 'zod';

/** A request of the model's for tools. */
export const roundSchema = z.object({
  /** Where in `content` what the model said with it ends. */
  end: z.number().int(),
  /** How many of `toolCalls` it is. */
  calls: z.number().int(),
});

/** One request to the model. */
export const modelCallSchema = z.object({
  /** Tokens, as its provider counts them. */
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Tokens of the request, as they were estimated here. */
  estimated: z.number().int(),
});
