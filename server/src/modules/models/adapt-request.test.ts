import type { ModelConfig } from '@knowhow/shared/config/models';
import { describe, expect, it } from 'vitest';
import { gather, neverAborted, openWireModel, wires } from '../../testing/ask-wire.ts';
import { openAiChatWire } from '../../testing/openai-chat-wire.ts';
import { scriptedHttp } from '../../testing/scripted-http.ts';
import { pictureConversation, toolConversation } from '../../testing/tool-conversation.ts';
import type { VendorWire } from '../../testing/vendor-wire.ts';
import type { ModelRequest } from './model.ts';

const server = scriptedHttp();
const [anthropic, google, responses] = ['anthropic', 'google', 'openai-responses'].map(
  (provider) => wires.find((wire) => wire.provider === provider) as VendorWire,
) as [VendorWire, VendorWire, VendorWire];

const local: VendorWire = { ...openAiChatWire, provider: 'local' };
const refusal = (body: string | object, status = 400) => ({
  status,
  headers: { 'content-type': 'application/json' },
  chunks: [
    typeof body === 'string' ? JSON.stringify({ error: { message: body } }) : JSON.stringify(body),
  ],
});
const bodies = () => server.requests.map(({ body }) => body as Record<string, unknown>);

interface Row {
  wire?: VendorWire;
  request?: ModelRequest;
  fields?: Partial<ModelConfig>;
  refused: ReturnType<typeof refusal>;
  /** Fields that the second request must have, and must lack. */
  has?: object;
  hasNot?: RegExp;
}

const thinking = { thinking: { enabled: true, effort: 'low' as const } };
const thought: ModelRequest = {
  ...toolConversation,
  messages: toolConversation.messages.map((message) =>
    message.role === 'assistant' && message.toolCalls.length > 0
      ? {
          ...message,
          vendorState: {
            vendor: 'openai-chat',
            items: [{ reasoning_content: 'Hm', extra: 1 }, [{ extra_content: { a: 1 } }]],
          },
        }
      : message,
  ),
};
const interrupted: ModelRequest = {
  ...toolConversation,
  messages: [...toolConversation.messages.slice(0, 4), { role: 'user', content: 'Thanks' }],
};
const silent: ModelRequest = { ...pictureConversation, tools: toolConversation.tools };

const rows: [string, Row][] = [
  [
    'max_tokens of GPT-5',
    {
      refused: refusal(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      has: { max_completion_tokens: 500 },
      hasNot: /"max_tokens"/,
    },
  ],
  [
    'max_completion_tokens',
    {
      wire: openAiChatWire,
      fields: { url: 'https://x.openai.com' },
      refused: refusal('Unrecognized request argument supplied: max_tokens'),
      has: { max_completion_tokens: 500 },
    },
  ],
  [
    'stream_options',
    {
      refused: refusal({
        error_code: 'BAD_REQUEST',
        message: 'stream_options: Extra inputs are not permitted',
      }),
      hasNot: /stream_options/,
    },
  ],
  [
    "stream_options, in FastAPI's format",
    {
      refused: refusal(
        {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'stream_options'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
        422,
      ),
      hasNot: /stream_options/,
    },
  ],
  [
    'stream_options, named in `param`',
    {
      refused: refusal({ error: { message: 'Unknown field', param: 'stream_options' } }),
      hasNot: /stream_options/,
    },
  ],
  [
    'temperature',
    {
      refused: refusal(
        "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
      ),
      hasNot: /temperature/,
    },
  ],
  [
    'reasoning_effort',
    {
      fields: thinking,
      refused: refusal('reasoning_effort is not supported by this model'),
      hasNot: /reasoning_effort/,
    },
  ],
  [
    'an empty content',
    {
      refused: refusal("Invalid type for 'messages[1].content': expected a string, got null"),
      request: silent,
      has: { messages: [{}, { content: '' }, {}, {}] },
    },
  ],
  [
    'thinking that is sent back',
    {
      request: thought,
      refused: refusal("property 'messages.2.assistant.reasoning_content' is unsupported"),
      hasNot: /reasoning_content/,
      has: { messages: [{}, {}, { extra: 1 }, {}, {}, {}, {}] },
    },
  ],
  [
    'an unknown field of a call',
    {
      request: thought,
      refused: refusal("Additional properties are not allowed ('extra_content' was unexpected)"),
      hasNot: /extra_content/,
    },
  ],
  [
    'missing thinking',
    {
      refused: refusal(
        'Missing `reasoning_content` field in the assistant message at message index 2',
      ),
      has: { messages: [{}, {}, { reasoning_content: '' }, {}, {}, { reasoning_content: '' }, {}] },
    },
  ],
  [
    'images of tool results',
    {
      request: pictureConversation,
      refused: refusal("Unexpected role 'user' after role 'tool'"),
      has: {
        messages: [
          { role: 'user' },
          { role: 'assistant' },
          { role: 'tool' },
          { role: 'assistant', content: expect.stringMatching(/picture/) },
          { role: 'user' },
        ],
      },
    },
  ],
  [
    'a question after tool results',
    {
      request: interrupted,
      refused: refusal(
        'Expected last role User or Tool (or Assistant with prefix True) ... unexpected role',
      ),
      has: {
        messages: [{}, {}, {}, {}, {}, { role: 'assistant' }, { role: 'user', content: 'Thanks' }],
      },
    },
  ],
  [
    'roles that do not alternate, with status 500',
    {
      request: interrupted,
      refused: refusal('Conversation roles must alternate user/assistant/user/assistant/...', 500),
      has: { messages: [{}, {}, {}, {}, {}, { role: 'assistant' }, { role: 'user' }] },
    },
  ],
  [
    'a system prompt',
    {
      refused: refusal('System role not supported'),
      has: {
        messages: [{ role: 'user', content: 'Be kind.\n\nWrite minutes' }, {}, {}, {}, {}, {}],
      },
    },
  ],
  [
    'a system prompt, at Google',
    {
      wire: google,
      refused: refusal('Developer instruction is not enabled for models/gemma-3-27b-it'),
      hasNot: /systemInstruction/,
    },
  ],
  [
    'temperature, at Google',
    {
      wire: google,
      refused: refusal('temperature is not supported by this model'),
      hasNot: /temperature/,
    },
  ],
  [
    'thinking, at Google',
    {
      wire: google,
      fields: thinking,
      refused: refusal(
        'Invalid JSON payload received. Unknown name "thinkingLevel" at \'generation_config.thinking_config\': Cannot find field.',
      ),
      hasNot: /thinkingConfig/,
    },
  ],
  [
    'thinking, at Anthropic',
    {
      wire: anthropic,
      fields: thinking,
      refused: refusal('thinking: adaptive thinking is not supported on this model'),
      hasNot: /"thinking"/,
    },
  ],
  [
    'the cache, at Anthropic',
    {
      wire: anthropic,
      refused: refusal('messages.0.content.0.cache_control: Extra inputs are not permitted'),
      hasNot: /cache_control/,
    },
  ],
  [
    'store, at OpenAI',
    {
      wire: responses,
      refused: refusal({ error: { message: "Unknown parameter: 'store'.", param: 'store' } }),
      hasNot: /"store"/,
    },
  ],
  [
    'strict, at OpenAI',
    {
      wire: responses,
      refused: refusal("Unknown parameter: 'tools[0].strict'."),
      hasNot: /"strict"/,
    },
  ],
];

describe('after a server rejects a part of a request, adapts this and later requests:', () => {
  it.each(rows)('%s', async (_what, row) => {
    const { wire = local, request = toolConversation, fields, refused, has = {}, hasNot } = row;
    const answer = { chunks: wire.answer({ text: ['Fine.'] }) };
    server.reply(refused, answer, answer);
    const ask = openWireModel(wire, server.origin, fields?.url ? {} : fields);
    for (const _ of [1, 2]) {
      const { text, error } = await gather(ask(request, neverAborted));
      expect([text, error]).toEqual(['Fine.', undefined]);
    }
    const [first, ...later] = bodies();
    expect(later).toHaveLength(2);
    for (const body of later) {
      expect(body).toMatchObject(has);
      expect(JSON.stringify(body)).not.toMatch(hasNot ?? /^$/);
    }
    expect(later[0]).not.toEqual(first);
    expect(later[1]).toEqual(later[0]);
  });

  it('several rejected parts one after the other', async () => {
    const answer = { chunks: local.answer({ text: ['Fine.'] }) };
    server.reply(
      refusal('Unrecognized request argument supplied: stream_options'),
      refusal("Unsupported parameter: 'max_tokens'"),
      refusal("Unsupported parameter: 'max_completion_tokens'"),
      answer,
    );
    const { text } = await gather(
      openWireModel(local, server.origin)(toolConversation, neverAborted),
    );
    expect(text).toBe('Fine.');
    expect(JSON.stringify(bodies().at(-1))).not.toMatch(/max_(completion_)?tokens|stream_options/);
  });

  it('missing thinking, first with an empty text and then with a space', async () => {
    const refused = refusal(
      'reasoning_content is missing in assistant tool call message at index 2',
    );
    const answer = { chunks: local.answer({ text: ['Fine.'] }) };
    server.reply(refused, refused, answer);
    const { text } = await gather(
      openWireModel(local, server.origin)(toolConversation, neverAborted),
    );
    expect(text).toBe('Fine.');
    const thoughts = bodies().map(({ messages }) => Object(messages)[2].reasoning_content);
    expect(thoughts).toEqual([undefined, '', ' ']);
  });

  it('drops images of tool results if a message in between does not help', async () => {
    const refused = refusal("Unexpected role 'user' after role 'tool'");
    const answer = { chunks: local.answer({ text: ['Fine.'] }) };
    server.reply(refused, refused, answer, answer);
    const ask = openWireModel(local, server.origin);
    await gather(ask(pictureConversation, neverAborted));
    await gather(ask(pictureConversation, neverAborted));
    for (const body of bodies().slice(2)) {
      expect(body.messages).toMatchObject([
        { role: 'user' },
        { role: 'assistant' },
        { role: 'tool', content: expect.stringContaining('left out') },
      ]);
    }
  });
});

describe('does not retry a rejected request', () => {
  it.each([
    ['when the error names nothing in it', 'Something is wrong.'],
    ['when a limit is out of range', 'max_tokens is too large: 500. The maximum is 100.'],
    ['when the named field is not in it', 'Unsupported parameter: parallel_tool_calls'],
    ['when the named field is required', 'Unknown parameter: messages'],
  ])('%s', async (_when, words) => {
    const refused = refusal(words);
    server.reply(refused);
    const { error } = await gather(
      openWireModel(local, server.origin)(toolConversation, neverAborted),
    );
    expect(error).toMatchObject({ code: 'model-failed' });
    expect(server.requests).toHaveLength(1);
  });

  it('more than a few times, and forgets adaptations that did not help', async () => {
    const refused = refusal("'temperature', 'stream_options' and 'max_tokens' are not supported");
    server.reply(...Array.from({ length: 20 }, () => refused));
    const ask = openWireModel(local, server.origin);
    expect((await gather(ask(toolConversation, neverAborted))).error).toBeDefined();
    const { length } = server.requests;
    expect(length).toBeLessThan(8);
    await gather(ask(toolConversation, neverAborted));
    expect(bodies()[length]).toEqual(bodies()[0]);
  });
});
