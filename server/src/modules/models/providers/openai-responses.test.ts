import { describe, expect, it } from 'vitest';
import { bodySent, playToolRound, thoughtfulAnswer } from '../../../testing/ask-round.ts';
import { gather, greeting, neverAborted, openWireModel } from '../../../testing/ask-wire.ts';
import {
  callItem,
  reasoningItem,
  openAiResponsesWire as wire,
} from '../../../testing/openai-responses-wire.ts';
import { scriptedHttp } from '../../../testing/scripted-http.ts';
import {
  pictureConversation,
  skillTool,
  toolConversation,
} from '../../../testing/tool-conversation.ts';
import { typedEvent } from '../../../testing/vendor-wire.ts';

const server = scriptedHttp();

describe('a request to the responses API', () => {
  it('contains the instructions, the tools, and each output after its call, and disables storage', async () => {
    expect(await bodySent(server, wire, toolConversation)).toEqual({
      model: 'gpt-5',
      instructions: 'Be kind.',
      input: [
        { role: 'user', content: 'Write minutes' },
        { role: 'assistant', content: 'Let me see.' },
        {
          type: 'function_call',
          call_id: 'callAAAA1',
          name: 'activate_skill',
          arguments: '{"skill_name":"minutes"}',
        },
        {
          type: 'function_call',
          call_id: 'callBBBB2',
          name: 'activate_skill',
          arguments: '{"input":"{\\"skill_"}',
        },
        { type: 'function_call_output', call_id: 'callAAAA1', output: 'The steps' },
        {
          type: 'function_call_output',
          call_id: 'callBBBB2',
          output: '{"isError":true,"error":"Bad arguments"}',
        },
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'Thanks' },
      ],
      tools: [{ type: 'function', ...skillTool, strict: false }],
      temperature: 0.3,
      max_output_tokens: 500,
      store: false,
      stream: true,
    });
  });

  it('includes images of a tool result in the output', async () => {
    expect(await bodySent(server, wire, pictureConversation)).toMatchObject({
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0=', detail: 'auto' },
            { type: 'input_text', text: 'Look' },
          ],
        },
        { type: 'function_call' },
        {
          type: 'function_call_output',
          output: [
            { type: 'input_text', text: 'A picture' },
            { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0=' },
          ],
        },
      ],
    });
  });

  it('sends back the items of a turn with their encrypted reasoning', async () => {
    const thinking = { enabled: true, effort: 'medium' } as const;
    const { body } = await playToolRound(server, wire, thoughtfulAnswer, { thinking });
    const [call] = thoughtfulAnswer.calls ?? [];
    expect(body).toMatchObject({
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      input: [
        { role: 'user', content: 'Write minutes' },
        reasoningItem('A skill fits.'),
        call && callItem(call),
        { type: 'function_call_output', call_id: 'callAAAA1', output: 'The steps' },
      ],
    });
  });
});

it.each([
  ['rate_limit_exceeded', 'model-rate-limited'],
  ['server_error', 'model-failed'],
  ['invalid_prompt', 'model-refused'],
])('reports an error event %s within the stream as %s', async (code, problemCode) => {
  const event = { type: 'error', code, message: 'No', param: null, sequence_number: 1 };
  const refusal = { chunks: [typedEvent(event)] };
  // Transient errors are retried twice.
  server.reply(refusal, refusal, refusal);
  const answer = await gather(openWireModel(wire, server.origin)(greeting, neverAborted));
  expect(answer.error).toMatchObject({ code: problemCode });
});
