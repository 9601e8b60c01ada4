import { describe, expect, it } from 'vitest';
import { bodySent, playToolRound, thoughtfulAnswer } from '../../../testing/ask-round.ts';
import { mistralWire as wire } from '../../../testing/mistral-wire.ts';
import { scriptedHttp } from '../../../testing/scripted-http.ts';
import {
  pictureConversation,
  skillTool,
  toolConversation,
} from '../../../testing/tool-conversation.ts';

const server = scriptedHttp();

describe('a Mistral request', () => {
  it('contains only fields that Mistral supports', async () => {
    expect(await bodySent(server, wire, toolConversation)).toEqual({
      model: 'mistral-large-latest',
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
              index: 0,
            },
            {
              id: 'callBBBB2',
              type: 'function',
              function: { name: 'activate_skill', arguments: '{"input":"{\\"skill_"}' },
              index: 1,
            },
          ],
          prefix: false,
        },
        { role: 'tool', tool_call_id: 'callAAAA1', name: 'activate_skill', content: 'The steps' },
        {
          role: 'tool',
          tool_call_id: 'callBBBB2',
          name: 'activate_skill',
          content: '{"isError":true,"error":"Bad arguments"}',
        },
        { role: 'assistant', content: 'Done.', prefix: false },
        { role: 'user', content: 'Thanks' },
      ],
      tools: [{ type: 'function', function: skillTool }],
      temperature: 0.3,
      max_tokens: 500,
      stream: true,
    });
  });

  it("converts IDs of other models' calls to nine letters and digits", async () => {
    const renamed = JSON.parse(
      JSON.stringify(toolConversation).replaceAll('callAAAA1', 'toolu_01-long.id'),
    );
    const body = JSON.stringify(await bodySent(server, wire, renamed));
    const ids = [...body.matchAll(/"(?:tool_call_id|id)":"([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(4);
    expect(ids.every((id) => /^[A-Za-z0-9]{9}$/.test(id ?? ''))).toBe(true);
    expect(ids.slice(0, 2)).toEqual(ids.slice(2));
  });

  it('includes images of a tool result in the result', async () => {
    expect(await bodySent(server, wire, pictureConversation)).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: 'data:image/png;base64,iVBORw0=' },
          ],
        },
        { role: 'assistant' },
        {
          role: 'tool',
          content: [
            { type: 'text', text: 'A picture' },
            { type: 'image_url', image_url: 'data:image/png;base64,iVBORw0=' },
          ],
        },
      ],
    });
  });

  it('sends back the thinking of a turn as a content part', async () => {
    const { first, body } = await playToolRound(server, wire, thoughtfulAnswer);
    expect(first.thinking).toBe('A skill fits.');
    expect(body).toMatchObject({
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'A skill fits.' }], closed: true },
            { type: 'text', text: 'Let me see.' },
          ],
        },
        { role: 'tool', tool_call_id: 'callAAAA1' },
      ],
    });
  });
});
