import { modelConfigSchema } from '@knowhow/shared/config/models';
import { describe, expect, it } from 'vitest';
import { bodySent, playToolRound, thoughtfulAnswer } from '../../testing/ask-round.ts';
import { gather, greeting, neverAborted, openWireModel } from '../../testing/ask-wire.ts';
import { openAiChatWire as wire } from '../../testing/openai-chat-wire.ts';
import { scriptedHttp } from '../../testing/scripted-http.ts';
import {
  pictureConversation,
  skillTool,
  toolConversation,
} from '../../testing/tool-conversation.ts';
import { dataEvent } from '../../testing/vendor-wire.ts';
import { openAiBody } from './providers/openai.ts';

const server = scriptedHttp();

describe('a chat completions request', () => {
  it('contains the system prompt, the tools, and each result after its call', async () => {
    expect(await bodySent(server, wire, toolConversation)).toEqual({
      model: 'gpt-5',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Write minutes' },
        {
          role: 'assistant',
          content: 'Let me see.',
          tool_calls: [
            {
              id: 'callAAAA1',
              type: 'function',
              function: { name: 'activate_skill', arguments: '{"skill_name":"minutes"}' },
            },
            {
              id: 'callBBBB2',
              type: 'function',
              function: { name: 'activate_skill', arguments: '{"input":"{\\"skill_"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'callAAAA1', content: 'The steps' },
        {
          role: 'tool',
          tool_call_id: 'callBBBB2',
          content: '{"isError":true,"error":"Bad arguments"}',
        },
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'Thanks' },
      ],
      tools: [{ type: 'function', function: skillTool }],
      temperature: 0.3,
      max_tokens: 500,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('sends images of a tool result in a user message', async () => {
    expect(await bodySent(server, wire, pictureConversation)).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0=' } },
            { type: 'text', text: 'Look' },
          ],
        },
        { role: 'assistant' },
        { role: 'tool', content: 'A picture' },
        {
          role: 'user',
          content: [
            { type: 'text' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0=' } },
          ],
        },
      ],
    });
  });

  it("uses OpenAI's name for the limit and omits temperature for reasoning models", () => {
    const config = modelConfigSchema.parse({
      id: 'm',
      modelId: 'm',
      name: 'M',
      provider: 'openai',
    });
    expect(openAiBody(toolConversation, config)).toMatchObject({ max_completion_tokens: 500 });
    const thinking = { enabled: true, effort: 'low' } as const;
    const body = openAiBody(toolConversation, { ...config, thinking });
    expect(body).toMatchObject({ reasoning_effort: 'low', temperature: undefined });
  });

  it.each(['reasoning_content', 'reasoning'])('sends back the %s of a turn', async (field) => {
    const renamed = {
      ...wire,
      answer: (answer: Parameters<typeof wire.answer>[0]) =>
        wire.answer(answer).map((event) => event.replace('reasoning_content', field)),
    };
    const { first, body } = await playToolRound(server, renamed, thoughtfulAnswer);
    expect(first.thinking).toBe('A skill fits.');
    expect(body).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', content: 'Let me see.', [field]: 'A skill fits.' },
        { role: 'tool', tool_call_id: 'callAAAA1' },
      ],
    });
  });
});

describe('a chat completions answer', () => {
  const answerTo = (...chunks: object[]) => {
    server.reply({ chunks: [...chunks.map(dataEvent), 'data: [DONE]\n\n'] });
    return gather(openWireModel(wire, server.origin)(greeting, neverAborted));
  };

  it('with tool calls may end with "stop"', async () => {
    const called = { name: 'activate_skill', arguments: '{}' };
    const tool_calls = [{ index: 0, id: 'a', type: 'function', function: called }];
    expect(
      await answerTo({ choices: [{ delta: { tool_calls }, finish_reason: 'stop' }] }),
    ).toMatchObject({ calls: [{ id: 'a' }], stop: 'tool-calls' });
  });

  it('may report its end twice', async () => {
    const called = { name: 'activate_skill', arguments: '{}' };
    const tool_calls = [{ index: 0, id: 'a', type: 'function', function: called }];
    const usage = { prompt_tokens: 1, completion_tokens: 2 };
    expect(
      await answerTo(
        { choices: [{ delta: { tool_calls }, finish_reason: 'tool_calls' }] },
        { choices: [{ delta: {}, finish_reason: 'tool_calls' }], usage },
      ),
    ).toMatchObject({ calls: [{ id: 'a' }], usage: { outputTokens: 2 }, stop: 'tool-calls' });
  });

  it('accepts invalid token counts', async () => {
    const usage = { prompt_tokens: '7', completion_tokens: null, prompt_tokens_details: null };
    const ended = { choices: [{ delta: {}, finish_reason: 'stop' }] };
    expect((await answerTo(ended, { usage })).usage).toEqual({ inputTokens: 7, outputTokens: 0 });
    const odd = { prompt_tokens: 7, prompt_tokens_details: { cached_tokens: -3 } };
    expect((await answerTo(ended, { usage: odd })).usage).toEqual({
      inputTokens: 7,
      outputTokens: 0,
    });
  });

  it('may be a refusal text', async () => {
    expect(
      await answerTo(
        { choices: [{ delta: { refusal: 'I would rather not.' }, finish_reason: null }] },
        { choices: [{ delta: {}, finish_reason: 'stop' }] },
      ),
    ).toMatchObject({ text: 'I would rather not.', stop: 'stop' });
  });

  it('ignores malformed chunks', async () => {
    server.reply({
      chunks: [
        'data: null\n\ndata: 42\n\ndata: {"choices": null}\n\ndata: {"choices": [{}]}\n\n',
        ...wire.answer({ text: ['Still here.'] }),
      ],
    });
    const answer = await gather(openWireModel(wire, server.origin)(greeting, neverAborted));
    expect(answer).toMatchObject({ text: 'Still here.', stop: 'stop', error: undefined });
  });
});

it.each([
  '"llama2" does not support tools',
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
])(
  'tells the administrator to disable tools if a server does not support them: %s',
  async (message) => {
    const headers = { 'content-type': 'application/json' };
    server.reply({ status: 400, headers, chunks: [JSON.stringify({ error: { message } })] });
    const answer = await gather(openWireModel(wire, server.origin)(toolConversation, neverAborted));
    expect(answer.error).toMatchObject({
      code: 'model-failed',
      message: expect.stringContaining('set its supportsTools to false'),
    });
  },
);
