import { describe, expect, test } from 'vitest';
import { eventTypes, scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();

describe('a turn', () => {
  test('streams numbered events, stores both messages and names the conversation', async () => {
    await chat.start([says('Hello there.')]);
    const { conversationId, events, body } = await takeTurn(chat.visitor, {
      message: 'Good morning',
    });
    expect(eventTypes(events)).toEqual(['session.start', 'chunk', 'usage', 'done']);
    expect(body).toMatch(/^id: 1\nevent: session.start\ndata: \{/);
    expect(await chat.conversation(conversationId)).toMatchObject({
      title: 'Good morning',
      appId: 'chat',
      model: 'scripted',
      messages: [
        { role: 'user', content: 'Good morning' },
        { role: 'assistant', content: 'Hello there.', status: 'complete', finishReason: 'stop' },
      ],
    });
  });

  test('sends the app prompt, then the catalogue, and both tools to the model', async () => {
    await chat.start([says('Hello.')]);
    await takeTurn(chat.visitor, { message: 'Hi', headers: { 'Accept-Language': 'de-AT' } });
    const [request] = chat.model.requests;
    expect(request?.system).toMatch(/^Du hilfst\.\n\n[\s\S]+<available_skills>/);
    expect(request?.tools.map(({ name }) => name)).toEqual([
      'activate_skill',
      'read_skill_resource',
    ]);
    expect(request?.tools[0]?.parameters.properties.skill_name).toMatchObject({
      enum: ['meeting-notes', 'release-notes'],
    });
    expect(request?.messages).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  test.each(['*', '', 'xx', 'de;q=0.1, *'])('answers with Accept-Language %j', async (language) => {
    await chat.start([says('Hello.')]);
    const { status } = await takeTurn(chat.visitor, {
      message: 'Hi',
      headers: { 'Accept-Language': language },
    });
    expect(status).toBe(200);
  });

  test('sends the earlier messages stored on the server', async () => {
    await chat.start([says('One.'), says('Two.')]);
    const { conversationId } = await takeTurn(chat.visitor, { message: 'First' });
    await takeTurn(chat.visitor, { message: 'Second', conversationId });
    expect(chat.model.requests[1]?.messages.map(({ content }) => content)).toEqual([
      'First',
      'One.',
      'Second',
    ]);
  });

  test('replaces a message and everything after it', async () => {
    await chat.start([says('One.'), says('Two.'), says('Other.')]);
    const { conversationId, events } = await takeTurn(chat.visitor, { message: 'First' });
    await takeTurn(chat.visitor, { message: 'Second', conversationId });
    const replaces = events[0]?.type === 'session.start' ? events[0].userMessageId : '';
    await takeTurn(chat.visitor, { message: 'Better', conversationId, replaces });
    const { messages, title } = await chat.conversation(conversationId);
    expect(messages.map(({ content }) => content)).toEqual(['Better', 'Other.']);
    expect(title).toBe('Better');
  });

  test('stores thinking and sums up the usage of its rounds', async () => {
    await chat.start([
      [
        { type: 'thinking', text: 'Hm.' },
        { type: 'usage', inputTokens: 1, outputTokens: 2 },
        ...calls(['activate_skill', { skill_name: 'meeting-notes' }]),
      ],
      says('Done.'),
    ]);
    const { conversationId } = await takeTurn(chat.visitor, { message: 'Notes' });
    const { messages } = await chat.conversation(conversationId);
    expect(messages[1]).toMatchObject({
      thinking: 'Hm.',
      usage: { inputTokens: 11, outputTokens: 7 },
    });
  });

  test('starts a new paragraph after tool calls', async () => {
    await chat.start([
      [
        { type: 'text', text: 'Let me look.' },
        ...calls(['activate_skill', { skill_name: 'meeting-notes' }]),
      ],
      says('Done.'),
    ]);
    expect((await takeTurn(chat.visitor, { message: 'Notes' })).text).toBe('Let me look.\n\nDone.');
  });
});

describe('handles model errors:', () => {
  test.each([
    ['an unknown tool', ['launch_rockets', {}], 'There is no tool "launch_rockets"'],
    ['bad arguments', ['activate_skill', '{"skill_name'], 'takes {"skill_name"'],
    [
      'arguments of another type',
      ['read_skill_resource', { skill_name: 1 }],
      'takes {"skill_name"',
    ],
    [
      'an unknown skill',
      ['activate_skill', { skill_name: 'nope' }],
      'Skill "nope" is not available. Available skills: meeting-notes, release-notes.',
    ],
    ['a prototype name', ['activate_skill', { skill_name: '__proto__' }], 'is not available'],
  ] as [string, [string, unknown], string][])(
    '%s is answered with what to do',
    async (_name, call, expected) => {
      await chat.start([calls(call), says('I see.')]);
      const { events } = await takeTurn(chat.visitor, { message: 'A' });
      expect(chat.model.requests[1]?.messages.at(-1)).toMatchObject({
        isError: true,
        content: expect.stringContaining(expected),
      });
      expect(events.at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
    },
  );

  test('a skill requested by `name`, as on other platforms, is activated', async () => {
    await chat.start([calls(['activate_skill', { name: 'meeting-notes' }]), says('I see.')]);
    const { events } = await takeTurn(chat.visitor, { message: 'A' });
    expect(eventTypes(events)).toContain('skill.activation');
    expect(chat.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', isError: false });
  });

  test('two parallel calls both get results, in order', async () => {
    await chat.start([
      calls(
        ['activate_skill', { skill_name: 'meeting-notes' }],
        ['activate_skill', { skill_name: 'release-notes' }],
      ),
      says('Both.'),
    ]);
    await takeTurn(chat.visitor, { message: 'A' });
    expect(chat.model.requests[1]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', toolCalls: [{ id: 'call-0' }, { id: 'call-1' }] },
      { role: 'tool', callId: 'call-0' },
      { role: 'tool', callId: 'call-1' },
    ]);
  });

  test('endless tool calls end after 12 rounds', async () => {
    await chat.start([calls(['activate_skill', { skill_name: 'nope' }])]);
    const { events } = await takeTurn(chat.visitor, { message: 'A' });
    expect(events.at(-1)).toEqual({ type: 'done', finishReason: 'tool-limit' });
    expect(chat.model.requests).toHaveLength(13);
  });
});
