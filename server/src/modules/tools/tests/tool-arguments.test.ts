import { afterEach, describe, expect, test } from 'vitest';
import { openAiChatWire } from '../../../testing/openai-chat-wire.ts';
import { type ScriptedHttp, startScriptedHttp } from '../../../testing/scripted-http.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import type { WireAnswer } from '../../../testing/vendor-wire.ts';
import { openModel } from '../../models/open-model.ts';

let provider: ScriptedHttp;
let server: TestServer;
afterEach(async () => {
  await server.close();
  await provider.close();
});

interface Body {
  messages: { role: string; content: string }[];
}

/** A model that calls a tool with these arguments once, and then says "Done.". */
async function start(tool: string, written: string, stop?: WireAnswer['stop']): Promise<void> {
  const call = { id: 'call-1', name: tool, arguments: [written] };
  provider = await startScriptedHttp(({ body }) => {
    const isToldWhy = (body as Body).messages.at(-1)?.role === 'tool';
    const answer = isToldWhy ? { text: ['Done.'] } : { calls: [call], ...(stop ? { stop } : {}) };
    return { chunks: openAiChatWire.answer(answer) };
  });
  server = await startTestServer({
    openModel: (model, key) => openModel(model, key, { backOffMs: [] }),
    files: {
      'models/scripted.json': {
        ...{ id: 'scripted', modelId: 'm', name: 'Mo', provider: 'local', default: true },
        ...{ url: provider.origin, contextWindow: 1_000_000, supportsTools: true },
      },
      'apps/chat.json': {
        ...{ id: 'chat', name: 'Chat', system: 'Help.', skills: ['*'] },
        tools: ['builtin/*'],
      },
    },
  });
}

const lastMessage = () => (provider.requests.at(-1)?.body as Body | undefined)?.messages.at(-1);
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const tooLong = 'its arguments have more than 100000 characters, which is the limit.';

describe('a call does not run, and the model is told why, if its arguments', () => {
  const cases: [string, string, string, string][] = [
    [
      'have 100,001 characters',
      JSON.stringify({ a: 'x'.repeat(100_001) }),
      'arguments too long',
      tooLong,
    ],
    ['have long keys', JSON.stringify({ ['x'.repeat(100_001)]: 1 }), 'arguments too long', tooLong],
    ['are 2 MB of invalid JSON', 'x'.repeat(2_000_000), 'arguments too long', tooLong],
    ['end early', '{"expression": "1+', 'wrong arguments', 'not valid JSON, or end too early'],
    ['are not JSON', 'expression=1', 'wrong arguments', 'not valid JSON'],
    ['are two objects', '{"a":1}{"b":2}', 'wrong arguments', 'not valid JSON'],
    ['are a list', '[1]', 'wrong arguments', 'are not an object'],
    ['are null', 'null', 'wrong arguments', 'are not an object'],
    ['are a number', '7', 'wrong arguments', 'are not an object'],
    ['are nested too deeply', nested(65), 'wrong arguments', '64 levels'],
    ['have too many values', `{"a":[${'1,'.repeat(50_000)}1]}`, 'arguments too long', tooLong],
    [
      'have a duplicate key',
      '{"expression":"1","expression":"2"}',
      'wrong arguments',
      'a key twice',
    ],
    [
      'have a nested duplicate key',
      '{"a":[{"b":1,"\\u0062":2}]}',
      'wrong arguments',
      'a key twice',
    ],
  ];
  test.each(cases)('%s', async (_, written, summary, told) => {
    await start('calculate', written);
    const { events, text } = await takeTurn(server.visitor(), { message: 'What is 1+1?' });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool.call.end', error: true, summary }),
    );
    expect(lastMessage()).toMatchObject({ role: 'tool', content: expect.stringContaining(told) });
    expect(text).toBe('Done.');
  });

  test.each(['calculate', 'current_time', 'activate_skill', 'no_such_tool'])(
    'are cut off by the length limit, for %s',
    async (tool) => {
      await start(tool, '{}', 'length');
      const { events } = await takeTurn(server.visitor(), { message: 'What is 1+1?' });
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'tool.call.end', error: true, summary: 'wrong arguments' }),
      );
      expect(lastMessage()?.content).toContain('its limit of length before the call was complete');
    },
  );
});

describe('a call runs if its arguments', () => {
  test.each([
    ['are empty', ''],
    ['have 90,000 characters', JSON.stringify({ a: 'x'.repeat(90_000) })],
    ['have the same key in two objects', '{"a":{"b":1},"c":{"b":2}}'],
    ['have a string that looks like a key', '{"a":"\\"a\\":","b":":"}'],
  ])('%s', async (_, written) => {
    await start('current_time', written);
    const { events } = await takeTurn(server.visitor(), { message: 'What time is it?' });
    const end = events.find(({ type }) => type === 'tool.call.end');
    expect(JSON.stringify(end)).not.toMatch(/too long|twice|not valid JSON/);
    expect(lastMessage()?.content).not.toContain('The tool was not called');
  });
});
