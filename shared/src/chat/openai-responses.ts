import { z } from 'zod';
import { endpoint, forChat } from '../endpoint.ts';

/** The supported part of OpenAI's Responses API. Unknown fields have no effect. */

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);

const item = z.union([
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content,
  }),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string().min(1).max(4000),
    name: z.string().min(1).max(200),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: content }),
  /** Reasoning of another service, which we cannot read. */
  z.looseObject({ type: z.literal('reasoning') }),
]);
export type ResponseItem = z.output<typeof item>;

const absent = (message: string) => z.null(message).optional();
const stored = 'Nothing is stored here: send the whole conversation as input.';

const body = z.looseObject({
  model: z.string().min(1).max(300),
  input: z.union(
    [z.string(), z.array(item).min(1).max(4000)],
    'Send a text, or 1 to 4,000 messages, function calls and their outputs.',
  ),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  /** As in `chat.completions`, except where the name is. */
  tools: z
    .array(z.looseObject({ type: z.string() }))
    .max(128)
    .nullish(),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  temperature: z.number().nullish(),
  max_output_tokens: z.number().nullish(),
  metadata: z.looseObject({ skills: z.string().max(2000).optional() }).nullish(),
  previous_response_id: absent(stored),
  conversation: absent(stored),
  background: z.literal(false, 'No answer is given in the background.').nullish(),
});
export type ResponseRequest = z.output<typeof body>;

export const openaiResponsesApi = {
  create: endpoint({
    method: 'POST',
    path: '/v1/responses',
    ...forChat,
    summary:
      'OpenAI Responses API: answers a conversation that the client keeps; server-sent events with stream: true',
    query: z.object({}),
    body,
    response: z.looseObject({ id: z.string(), object: z.literal('response') }),
  }),
};
