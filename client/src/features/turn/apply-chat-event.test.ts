import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { AssistantMessage, Conversation } from '@knowhow/shared/chat/conversations';
import { describe, expect, it } from 'vitest';
import { applyChatEvent } from './apply-chat-event.ts';
import { beginTurn } from './begin-turn.ts';

const ids = {
  conversation: '5d5d2c39-6a3c-4a8b-9f0d-0d9c2b6a1e01',
  question: '5d5d2c39-6a3c-4a8b-9f0d-0d9c2b6a1e02',
  answer: '5d5d2c39-6a3c-4a8b-9f0d-0d9c2b6a1e03',
};
const start: ChatEvent = {
  type: 'session.start',
  conversationId: ids.conversation,
  messageId: ids.answer,
  userMessageId: ids.question,
  model: 'gpt',
  activeSkills: [],
};
const activation = {
  name: 'meeting-notes',
  description: 'Sorts notes.',
  via: 'model',
  tokens: 900,
  checksum: 'c1',
} as const;

function begun(conversation?: Conversation, message = 'Sort these'): Conversation {
  let count = 0;
  return beginTurn({
    conversation,
    request: {
      appId: 'chat',
      conversationId: ids.conversation,
      message,
      skills: [],
      model: 'demo',
    },
    newId: () => `made-${++count}`,
    now: new Date('2026-03-15T10:00:00Z'),
  });
}

function after(...events: ChatEvent[]): Conversation {
  return events.reduce(applyChatEvent, begun());
}

function answerAfter(...events: ChatEvent[]): AssistantMessage {
  const last = after(...events).messages.at(-1);
  if (last?.role !== 'assistant') {
    throw new Error('The conversation does not end with an answer.');
  }
  return last;
}

describe('applyChatEvent', () => {
  it("stores the server's IDs and model", () => {
    const conversation = after(start);
    expect(conversation.model).toBe('gpt');
    expect(conversation.messages).toMatchObject([
      { role: 'user', id: ids.question, content: 'Sort these' },
      { role: 'assistant', id: ids.answer, model: 'gpt', status: 'running' },
    ]);
  });

  it('appends text and reasoning, each in order', () => {
    const answer = answerAfter(
      start,
      { type: 'thinking', content: 'Hm' },
      { type: 'chunk', content: 'Once ' },
      { type: 'thinking', content: '.' },
      { type: 'chunk', content: 'more' },
    );
    expect(answer).toMatchObject({ content: 'Once more', thinking: 'Hm.' });
  });

  it('moves text to the reasoning when the model closes a block that it had not opened', () => {
    const answer = answerAfter(
      start,
      { type: 'chunk', content: 'First.' },
      { type: 'chunk', content: '\n\nHmm.' },
      { type: 'chunk.was-thinking', characters: 6 },
      { type: 'chunk', content: '\n\nThen.' },
    );
    expect(answer).toMatchObject({ content: 'First.\n\nThen.', thinking: '\n\nHmm.' });
  });

  it('has a skill active once, in its latest state', () => {
    const changed = { ...activation, checksum: 'c2' };
    const conversation = after(
      start,
      { type: 'skill.activation', ...activation },
      { type: 'skill.activation', ...changed },
    );
    expect(conversation.activeSkills).toEqual([changed]);
    expect(conversation.messages.at(-1)).toMatchObject({ activations: [activation, changed] });
  });

  it('removes an ended skill, and records it in the answer', () => {
    const before = { ...begun(), activeSkills: [activation] };
    const events: ChatEvent[] = [
      { ...start, activeSkills: [activation.name] },
      { type: 'skill.ended', name: activation.name, reason: 'not-available' },
    ];
    const conversation = events.reduce(applyChatEvent, before);
    expect(conversation.activeSkills).toEqual([]);
    expect(conversation.messages.at(-1)).toMatchObject({
      ended: [{ name: 'meeting-notes', reason: 'not-available' }],
    });
  });

  it('removes skills that are no longer active when the turn starts', () => {
    const before = { ...begun(), activeSkills: [activation] };
    expect(applyChatEvent(before, start).activeSkills).toEqual([]);
  });

  it('finishes only the tool call it started', () => {
    const { toolCalls } = answerAfter(
      start,
      {
        type: 'tool.call.start',
        id: 'a',
        name: 'activate_skill',
        input: { skill_name: 'x' },
        round: 0,
      },
      { type: 'tool.call.start', id: 'b', name: 'search', input: {}, round: 0 },
      { type: 'tool.call.end', id: 'a', name: 'activate_skill', error: true, summary: 'no' },
    );
    expect(toolCalls).toMatchObject([
      { id: 'a', input: { skill_name: 'x' }, error: true, summary: 'no', isRunning: undefined },
      { id: 'b', input: {}, error: false, summary: '', isRunning: true },
    ]);
  });

  it('records the text position of calls', () => {
    const call = { type: 'tool.call.start', id: 'a', name: 'pay', input: {} } as const;
    const inRound = (round: number) => ({ ...call, round });
    const says = (content: string) => ({ type: 'chunk', content }) as const;
    const silent = [says('One.'), inRound(0), inRound(0), inRound(1)] as const;
    expect(answerAfter(start, ...silent, says(' Two.'), inRound(2)).rounds).toEqual([
      { end: 4, calls: 2 },
      { end: 4, calls: 1 },
      { end: 9, calls: 1 },
    ]);
  });

  it('updates the latest call with an ID, and what it is waiting for', () => {
    const call = { id: 'a', name: 'pay', input: {} };
    const waits = { title: 'Pay', source: 'Bank', isDestructive: true, expiresAt: 'later' };
    const waiting = [
      { type: 'tool.call.start', ...call, round: 0 },
      { type: 'tool.call.end', id: 'a', name: 'pay', summary: 'done' },
      { type: 'tool.call.start', ...call, round: 1 },
      { type: 'tool.progress', id: 'a', text: 'Looking' },
      { type: 'tool.consent', ...call, ...waits },
    ] as const;
    const [first, second] = answerAfter(start, ...waiting).toolCalls;
    expect(first).toMatchObject({ summary: 'done', isRunning: undefined });
    expect(second).toMatchObject({
      progress: 'Looking',
      waitsFor: { type: 'consent', isDestructive: true, expiresAt: 'later' },
    });
    const inner = { ...waits, ...call, id: 'a.1', title: 'Sign' };
    const nested = answerAfter(start, ...waiting, { type: 'tool.consent', ...inner });
    expect(nested.toolCalls[1]?.waitsFor).toMatchObject({ callId: 'a.1', title: 'Sign' });
    const answered = { type: 'tool.answered', id: 'a' } as const;
    expect(answerAfter(start, ...waiting, answered).toolCalls[1]?.waitsFor).toBeUndefined();
  });

  it.each([
    ['stop', 'complete'],
    ['length', 'complete'],
    ['tool-limit', 'complete'],
    ['aborted', 'stopped'],
    ['interrupted', 'interrupted'],
  ] as const)('ends with %s as %s', (finishReason, status) => {
    const answer = answerAfter(start, { type: 'done', finishReason });
    expect(answer).toMatchObject({ status, finishReason });
  });

  it('leaves no call running after the end', () => {
    const call = { id: 'a', name: 'pay', input: {} };
    const calling = { type: 'tool.call.start', ...call, round: 0 } as const;
    const { toolCalls } = answerAfter(start, calling, { type: 'done', finishReason: 'aborted' });
    expect(toolCalls).toMatchObject([{ isRunning: undefined, error: true, summary: 'stopped' }]);
  });

  it('keeps the text before an error', () => {
    const answer = answerAfter(
      start,
      { type: 'chunk', content: 'Half' },
      { type: 'error', code: 'model-interrupted', message: 'It broke off.' },
    );
    expect(answer).toMatchObject({
      content: 'Half',
      status: 'failed',
      error: { code: 'model-interrupted', message: 'It broke off.' },
    });
  });

  it('does not change messages before the answer', () => {
    const before = after(start);
    const next = applyChatEvent(before, { type: 'chunk', content: 'x' });
    expect(next.messages[0]).toBe(before.messages[0]);
    expect(next.activeSkills).toBe(before.activeSkills);
  });
});

describe('progress notices', () => {
  const doingAfter = (...events: ChatEvent[]) => {
    const answer = after(start, ...events).messages.at(-1);
    return answer?.role === 'assistant' ? answer.doing : undefined;
  };
  const notice = { type: 'notice', code: 'choosing-skills', message: '' } as const;

  it('are shown from their notice on, and are not permanent', () => {
    expect(doingAfter(notice)).toBe('choosing-skills');
    expect(after(start, notice).messages.at(-1)).not.toHaveProperty('notices');
  });

  it.each<ChatEvent>([
    { type: 'chunk', content: 'Two.' },
    { type: 'thinking', content: 'Hm.' },
    { type: 'notice', code: 'summarised', message: '' },
    { type: 'tool.call.start', id: '1', name: 'search_skills', input: {}, round: 0 },
    { type: 'done', finishReason: 'stop' },
  ])('end with the next event: %j', (event) => {
    expect(doingAfter(notice, event)).toBeUndefined();
  });
});

describe('beginTurn', () => {
  it('starts a conversation titled by its message, like the server', () => {
    const conversation = begun();
    expect(conversation.title).toBe('Sort these');
    expect(begun(undefined, 'Sort\n  these').title).toBe('Sort these');
    expect(conversation.messages).toHaveLength(2);
  });

  it('appends to a conversation and keeps its title', () => {
    const conversation = begun({ ...after(start), title: 'Named' });
    expect(conversation.title).toBe('Named');
    expect(conversation.messages).toHaveLength(4);
  });

  it('truncates the conversation at the replaced message', () => {
    const first = after(start, { type: 'done', finishReason: 'stop' });
    const again = beginTurn({
      conversation: first,
      request: {
        appId: 'chat',
        conversationId: ids.conversation,
        message: 'Better',
        skills: ['meeting-notes'],
        model: 'demo',
        replaces: ids.question,
      },
      newId: () => 'made',
      now: new Date(),
    });
    expect(again.messages).toMatchObject([
      { role: 'user', content: 'Better', skills: ['meeting-notes'] },
      { role: 'assistant', content: '', status: 'running' },
    ]);
  });
});
