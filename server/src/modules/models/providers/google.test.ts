import type { ModelConfig } from '@knowhow/shared/config/models';
import { describe, expect, it } from 'vitest';
import { bodySent, playToolRound, thoughtfulAnswer } from '../../../testing/ask-round.ts';
import { gather, greeting, neverAborted, openWireModel } from '../../../testing/ask-wire.ts';
import { callParts, googleWire as wire } from '../../../testing/google-wire.ts';
import { scriptedHttp } from '../../../testing/scripted-http.ts';
import {
  pictureConversation,
  skillTool,
  toolConversation,
} from '../../../testing/tool-conversation.ts';
import { dataEvent } from '../../../testing/vendor-wire.ts';

const server = scriptedHttp();

describe('a Gemini request', () => {
  it('contains the system prompt, the tools, and the results of parallel calls together', async () => {
    expect(await bodySent(server, wire, toolConversation)).toEqual({
      systemInstruction: { role: 'user', parts: [{ text: 'Be kind.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Write minutes' }] },
        {
          role: 'model',
          parts: [
            { text: 'Let me see.' },
            { functionCall: { name: 'activate_skill', args: { skill_name: 'minutes' } } },
            { functionCall: { name: 'activate_skill', args: { input: '{"skill_' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'activate_skill', response: { output: 'The steps' } } },
            { functionResponse: { name: 'activate_skill', response: { error: 'Bad arguments' } } },
          ],
        },
        { role: 'model', parts: [{ text: 'Done.' }] },
        { role: 'user', parts: [{ text: 'Thanks' }] },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'activate_skill',
              description: 'Loads a skill.',
              parametersJsonSchema: skillTool.parameters,
            },
          ],
        },
      ],
      generationConfig: { temperature: 0.3, maxOutputTokens: 500 },
    });
  });

  it('includes images of a tool result after it', async () => {
    expect(await bodySent(server, wire, pictureConversation)).toMatchObject({
      contents: [
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0=' } }, { text: 'Look' }],
        },
        { role: 'model' },
        { role: 'user', parts: [{ functionResponse: { response: { output: 'A picture' } } }] },
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0=' } }] },
      ],
    });
  });

  it.each<[ModelConfig['thinking'], object | undefined]>([
    [{ enabled: true }, { includeThoughts: true }],
    [
      { enabled: true, effort: 'low' },
      { includeThoughts: true, thinkingLevel: 'LOW' },
    ],
    [
      { enabled: true, budget: 2000 },
      { includeThoughts: true, thinkingBudget: 2000 },
    ],
    [{ enabled: false }, { thinkingBudget: 0 }],
    [undefined, undefined],
  ])('requests thinking %o', async (thinking, thinkingConfig) => {
    const body = await bodySent(server, wire, greeting, { thinking });
    expect(body).toMatchObject({ generationConfig: thinkingConfig ? { thinkingConfig } : {} });
  });

  it('sends back the parts of a turn with their signatures and IDs', async () => {
    const { first, body } = await playToolRound(server, wire, thoughtfulAnswer);
    expect(first.calls).toMatchObject([{ id: 'callAAAA1' }]);
    expect(body).toMatchObject({
      contents: [
        { role: 'user' },
        { role: 'model', parts: [{ text: 'Let me see.' }, ...callParts(thoughtfulAnswer)] },
        { role: 'user', parts: [{ functionResponse: { id: 'callAAAA1' } }] },
      ],
    });
  });

  it('assigns IDs to calls without one, and does not send these', async () => {
    const withoutIds = {
      ...wire,
      answer: (answer: Parameters<typeof wire.answer>[0]) =>
        wire.answer(answer).map((event) => event.replace('"id":"callAAAA1",', '')),
    };
    const { first, body } = await playToolRound(server, withoutIds, thoughtfulAnswer);
    expect(first.calls).toMatchObject([{ id: expect.stringMatching(/^call_\w+$/) }]);
    expect(JSON.stringify(body)).toContain('functionResponse');
    expect(JSON.stringify(body)).not.toContain(first.calls[0]?.id);
  });
});

it.each([
  [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'model-refused'],
  [{ candidates: [{ finishReason: 'RECITATION' }] }, 'model-refused'],
  [{ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }, 'model-failed'],
  [{ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, 'model-rate-limited'],
])('reports the answer %o as %s', async (chunk, code) => {
  const refusal = { chunks: [dataEvent(chunk)] };
  // Transient errors are retried twice.
  server.reply(refusal, refusal, refusal);
  const answer = await gather(openWireModel(wire, server.origin)(greeting, neverAborted));
  expect(answer.error).toMatchObject({ code });
});

it("reports Google's status 400 for an invalid key as an authorization problem", async () => {
  const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' };
  const headers = { 'content-type': 'application/json' };
  server.reply({ status: 400, headers, chunks: [JSON.stringify({ error })] });
  const answer = await gather(openWireModel(wire, server.origin)(greeting, neverAborted));
  expect(answer.error).toMatchObject({ code: 'model-unauthorized' });
});
