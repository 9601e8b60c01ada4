import type { ModelConfig } from '@knowhow/shared/config/models';
import { modelConfigSchema } from '@knowhow/shared/config/models';
import { describe, expect, it } from 'vitest';
import { anthropicSignature, anthropicWire as wire } from '../../../testing/anthropic-wire.ts';
import { bodySent, playToolRound, thoughtfulAnswer } from '../../../testing/ask-round.ts';
import { gather, greeting, neverAborted, openWireModel } from '../../../testing/ask-wire.ts';
import { scriptedHttp } from '../../../testing/scripted-http.ts';
import {
  pictureConversation,
  skillTool,
  toolConversation,
} from '../../../testing/tool-conversation.ts';
import { typedEvent } from '../../../testing/vendor-wire.ts';
import { anthropicBody } from './anthropic-body.ts';

const server = scriptedHttp();

const cache_control = { type: 'ephemeral' };

describe('an Anthropic request', () => {
  it('defines the called tools but disables them if none is offered now', async () => {
    expect(await bodySent(server, wire, { ...toolConversation, tools: [] })).toMatchObject({
      tools: [{ name: 'activate_skill', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    });
    expect(await bodySent(server, wire, greeting)).not.toHaveProperty('tools');
  });

  it('contains the system prompt, the tools, and the results of parallel calls together', async () => {
    expect(await bodySent(server, wire, toolConversation)).toEqual({
      model: 'claude-sonnet-5',
      max_tokens: 500,
      system: [{ type: 'text', text: 'Be kind.', cache_control }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Write minutes' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see.' },
            {
              type: 'tool_use',
              id: 'callAAAA1',
              name: 'activate_skill',
              input: { skill_name: 'minutes' },
            },
            {
              type: 'tool_use',
              id: 'callBBBB2',
              name: 'activate_skill',
              input: { input: '{"skill_' },
            },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'callAAAA1', content: 'The steps' },
            {
              type: 'tool_result',
              tool_use_id: 'callBBBB2',
              content: 'Bad arguments',
              is_error: true,
            },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Thanks', cache_control }] },
      ],
      tools: [
        {
          name: 'activate_skill',
          description: 'Loads a skill.',
          input_schema: skillTool.parameters,
        },
      ],
      stream: true,
    });
  });

  it('includes images of a tool result in the result', async () => {
    expect(await bodySent(server, wire, pictureConversation)).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { media_type: 'image/png', data: 'iVBORw0=' } },
            { type: 'text', text: 'Look' },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'callAAAA1' }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              content: [
                { type: 'text', text: 'A picture' },
                {
                  type: 'image',
                  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' },
                },
              ],
              cache_control,
            },
          ],
        },
      ],
    });
  });

  it.each<[ModelConfig['thinking'], object]>([
    [{ enabled: true }, { thinking: { type: 'adaptive', display: 'summarized' } }],
    [{ enabled: true, effort: 'minimal' }, { output_config: { effort: 'low' } }],
    [
      { enabled: true, budget: 20_000 },
      { thinking: { type: 'enabled', budget_tokens: 20_000 }, max_tokens: 21_024 },
    ],
    [{ enabled: false }, { thinking: { type: 'disabled' } }],
    [undefined, { max_tokens: 16_384 }],
  ])('requests thinking %o', (thinking, fields) => {
    const ids = { id: 'm', modelId: 'm', name: 'M' };
    const config = modelConfigSchema.parse({ ...ids, provider: 'anthropic', thinking });
    expect(anthropicBody(greeting, config)).toMatchObject(fields);
  });

  it('sends back the signed thinking of a turn', async () => {
    const { body } = await playToolRound(server, wire, thoughtfulAnswer);
    expect(body).toMatchObject({
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'A skill fits.', signature: anthropicSignature },
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'callAAAA1', input: { skill_name: 'minutes' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'callAAAA1' }] },
      ],
    });
  });
});

it.each([
  ['overloaded_error', 'model-unreachable'],
  ['rate_limit_error', 'model-rate-limited'],
  ['api_error', 'model-failed'],
])('reports an error event %s within the stream as %s', async (type, code) => {
  const refusal = { chunks: [typedEvent({ type: 'error', error: { type, message: 'No' } })] };
  // Transient errors are retried twice.
  server.reply(refusal, refusal, refusal);
  const answer = await gather(openWireModel(wire, server.origin)(greeting, neverAborted));
  expect(answer.error).toMatchObject({ code });
});

it('counts tokens read from and written to the prompt cache as input', async () => {
  server.reply({ chunks: wire.answer({ text: ['Hi'] }) });
  const answer = await gather(openWireModel(wire, server.origin)(greeting, neverAborted));
  expect(answer.usage).toEqual({
    inputTokens: 5 + 4 + 2,
    cachedTokens: 2,
    cacheWriteTokens: 4,
    outputTokens: 22,
  });
});

describe('an Anthropic answer', () => {
  it('is read quickly, regardless of the block indexes its server sends', async () => {
    const index = 2 ** 32 - 2;
    const chunks = [
      { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index, delta: { type: 'text_delta', text: 'Hello' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ].map(typedEvent);
    server.reply({ chunks });
    expect(await gather(openWireModel(wire, server.origin)(greeting, neverAborted))).toMatchObject({
      text: 'Hello',
      stop: 'stop',
    });
  });
});
