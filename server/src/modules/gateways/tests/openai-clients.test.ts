import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { makeKey } from '../../../testing/make-key.ts';
import {
  calls,
  type ScriptedModel,
  type Step,
  says,
  scriptedModel,
} from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';

/** Common client libraries; OpenAI's own is in openai-api.test.ts. */

let server: TestServer;
let model: ScriptedModel;
let key: string;
let baseURL: string;

beforeAll(async () => {
  server = await startTestServer({ model: (...asked) => model.ask(...asked) });
  ({ key } = await makeKey(server, await signInAdmin(server), ['chat']));
  baseURL = `${server.url}/v1`;
});
afterAll(() => server.close());
beforeEach(() => script(says('Hello.')));

const script = (...steps: Step[]) => {
  model = scriptedModel(...steps);
};
const activate = calls(['activate_skill', { skill_name: 'meeting-notes' }]);
const askWeather = calls(['weather', { city: 'Bonn' }]);
const city = z.object({ city: z.string() });
const description = 'The weather of a city.';

/** The tool result in the request with this index. */
const resultsIn = (index: number) =>
  model.requests[index]?.messages.flatMap((message) =>
    message.role === 'tool' ? [message.content] : [],
  );

describe('the AI SDK of Vercel', () => {
  const chat = (name = 'chat') =>
    createOpenAICompatible({
      ...{ name: 'knowhow', apiKey: key, baseURL },
      supportsStructuredOutputs: true,
    })(name);

  test('runs its tools in a loop, with the skill of the previous answer', async () => {
    script(activate, askWeather, says('Rain in Bonn.'));
    const weather = tool({ description, inputSchema: city, execute: async () => 'Rain' });
    const { text, steps, totalUsage } = await generateText({
      ...{ model: chat(), system: 'Be brief.', prompt: 'Weather?' },
      ...{ tools: { weather }, stopWhen: stepCountIs(3) },
    });
    expect([text, steps.length, totalUsage.outputTokens]).toEqual(['Rain in Bonn.', 2, 5]);
    expect(resultsIn(2)).toEqual(['Rain']);
    expect(model.requests[2]?.messages[0]?.content).toContain('<skill_content');
  });

  test('reads a streamed answer', async () => {
    script([{ type: 'text', text: 'Hel' }, ...says('lo.')]);
    const { textStream, finishReason } = streamText({ model: chat(), prompt: 'Hi' });
    const pieces = [];
    for await (const piece of textStream) {
      pieces.push(piece);
    }
    expect([pieces, await finishReason]).toEqual([['Hel', 'lo.'], 'stop']);
  });

  test('gets an object', async () => {
    script(says('{"city": "Bonn"}'));
    const { output } = await generateText({
      ...{ model: chat(), prompt: 'Which city?', output: Output.object({ schema: city }) },
    });
    expect(output).toEqual({ city: 'Bonn' });
    expect(model.requests[0]?.answerSchema).toMatchObject({ schema: { required: ['city'] } });
  });

  test('gets an error message', async () => {
    const wanted = generateText({ model: chat('nope'), prompt: 'Hi', maxRetries: 0 });
    await expect(wanted).rejects.toThrow('The model "nope" does not exist.');
  });
});

describe('ChatOpenAI of LangChain', () => {
  const chat = () =>
    new ChatOpenAI({
      ...{ model: 'chat/scripted', apiKey: key, maxRetries: 0 },
      configuration: { baseURL },
    });
  const weather = langchainTool(async () => 'Rain', { name: 'weather', description, schema: city });

  test('runs its tools, with the skill of the previous answer', async () => {
    script(activate, askWeather, says('Rain in Bonn.'));
    const bound = chat().bindTools([weather]);
    const messages = [new SystemMessage('Be brief.'), new HumanMessage('Weather?')];
    const asked = await bound.invoke(messages);
    const [call] = asked.tool_calls ?? [];
    expect(call).toMatchObject({ name: 'weather', args: { city: 'Bonn' } });
    const result = await weather.invoke({
      ...call,
      name: 'weather',
      args: { city: 'Bonn' },
      type: 'tool_call',
    });
    const answer = await bound.invoke([...messages, asked, result]);
    expect([answer.text, answer.usage_metadata?.total_tokens]).toEqual(['Rain in Bonn.', 15]);
    expect(resultsIn(2)).toEqual(['Rain']);
    expect(model.requests[2]?.messages[0]?.content).toContain('<skill_content');
  });

  test('reads a streamed answer', async () => {
    script([{ type: 'text', text: 'Hel' }, ...says('lo.')]);
    const pieces = [];
    for await (const piece of await chat().stream('Hi')) {
      pieces.push(piece.text);
    }
    expect(pieces.join('')).toBe('Hello.');
  });

  test('gets an object', async () => {
    script(says('{"city": "Bonn"}'));
    const structured = chat().withStructuredOutput(city, { method: 'jsonSchema', strict: true });
    expect(await structured.invoke('Which city?')).toEqual({ city: 'Bonn' });
    expect(model.requests[0]?.answerSchema).toMatchObject({ schema: { required: ['city'] } });
  });
});
