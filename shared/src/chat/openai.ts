import { z } from 'zod';
import { endpoint, forChat } from '../endpoint.ts';

/** The supported part of OpenAI's Chat Completions API. Unknown fields have no effect. */

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const content = z.union([z.string(), z.array(textPart)]);

/** Distinguishes unsupported parts, such as pictures, from invalid ones, for the error message. */
const userContent = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);

const toolCall = z.looseObject({
  id: z.string().min(1).max(4000),
  type: z.literal('function').default('function'),
  function: z.looseObject({ name: z.string().min(1).max(200), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content }),
  z.looseObject({ role: z.literal('user'), content: userContent }),
  z.looseObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    tool_calls: z.array(toolCall).max(128).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);
export type OpenAiMessage = z.output<typeof message>;

const schema = z.record(z.string(), z.unknown());

const tool = z.looseObject({
  type: z.literal('function', 'Only tools of type "function" are taken.'),
  function: z.looseObject({
    name: z.string().regex(/^[\w-]{1,64}$/, 'Letters, digits, _ and -, at most 64.'),
    description: z.string().max(20_000).nullish(),
    parameters: z.looseObject({ properties: schema.optional() }).nullish(),
  }),
});
export type OpenAiTool = z.output<typeof tool>;

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
]);

const responseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: z.string().regex(/^[\w-]{1,64}$/),
      schema: schema.optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

/**
 * An unsupported field that would change the form of the answer: rejected, unless its value is the
 * default.
 */
const unsupported = (isHarmless: (value: unknown) => boolean) =>
  z
    .unknown()
    .refine((value) => value == null || isHarmless(value), 'This is not supported here.')
    .optional();
const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

const count = z.number().int().min(1).nullish();

const completionBody = z.looseObject({
  /** `<app>` or `<app>/<model>`. */
  model: z.string().min(1).max(300),
  messages: z.array(message).min(1, 'Send at least one message.').max(4000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z
    .array(tool)
    .max(128)
    .refine(
      (tools) => new Set(tools.map((each) => each.function.name)).size === tools.length,
      'Tool names must be unique.',
    )
    .nullish(),
  tool_choice: toolChoice.nullish(),
  response_format: responseFormat.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_tokens: count,
  max_completion_tokens: count,
  metadata: z
    .looseObject({
      /** Names of skills to activate, separated by commas. */
      skills: z.string().max(2000).optional(),
    })
    .nullish(),
  n: z
    .number()
    .refine((n) => n === 1, 'Only one answer is given: leave n out.')
    .nullish(),
  stop: unsupported(isEmpty),
  logprobs: unsupported((value) => value === false),
  functions: unsupported(isEmpty),
  modalities: unsupported(
    (value) => Array.isArray(value) && value.every((each) => each === 'text'),
  ),
  audio: unsupported(() => false),
});
export type OpenAiCompletion = z.output<typeof completionBody>;

const model = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
});

/** The OpenAI-compatible API. Errors have OpenAI's format, too. */
export const openaiApi = {
  models: endpoint({
    method: 'GET',
    path: '/v1/models',
    ...forChat,
    summary: 'OpenAI-compatible: apps, and their models',
    query: z.object({}),
    response: z.object({ object: z.literal('list'), data: z.array(model) }),
  }),
  model: endpoint({
    method: 'GET',
    path: '/v1/models/*name',
    ...forChat,
    summary: 'OpenAI-compatible: one app or model',
    params: z.strictObject({ name: z.string().max(300) }),
    query: z.object({}),
    response: model,
  }),
  complete: endpoint({
    method: 'POST',
    path: '/v1/chat/completions',
    ...forChat,
    summary:
      'OpenAI Chat Completions API: answers a conversation that the client keeps; server-sent events with stream: true',
    query: z.object({}),
    body: completionBody,
    response: z.looseObject({ id: z.string(), object: z.literal('chat.completion') }),
  }),
};
