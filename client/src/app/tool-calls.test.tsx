import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { AssistantMessage, ToolCall } from '@knowhow/shared/chat/conversations';
import { act, configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { openStream } from '../testing/event-stream.ts';
import { quietConversation, renderChat } from '../testing/render-chat.tsx';
import { refusal } from '../testing/render-with-server.tsx';

// Parts of the page are loaded on demand.
configure({ asyncUtilTimeout: 8000 });

const { id } = quietConversation;
const answerId = '9c1f4d0e-6f5b-4f0e-8f5e-2f4d7a3f7c12';
const questionId = '9c1f4d0e-6f5b-4f0e-8f5e-2f4d7a3f7c13';
const input = { city: 'Bern', days: 3, places: ['Gurten', 'Aare\u202e'] };
const called = { id: 'call-0', name: 'office__weather', input, title: 'Weather', source: 'Office' };
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const me = { id: 'u', name: 'Una', groups: [], isAdmin: false, anonymous: false, mayChat: true };
const noContent = () => new Response(null, { status: 204 });

const start: ChatEvent[] = [
  {
    type: 'session.start',
    ...{ conversationId: id, messageId: answerId, userMessageId: questionId },
    ...{ model: 'house', activeSkills: [] },
  },
  { type: 'tool.call.start', ...called, round: 0 },
];
const consent: ChatEvent = {
  type: 'tool.consent',
  ...called,
  isDestructive: false,
  expiresAt: inMinutes(5),
};
const end: ChatEvent = { type: 'tool.call.end', id: 'call-0', name: called.name, ms: 1234 };

/** A conversation whose answer is being written, or has these calls. */
function conversation(fields: Partial<AssistantMessage>) {
  const answer: AssistantMessage = {
    role: 'assistant',
    id: answerId,
    ...{ content: '', thinking: '', model: 'house', status: 'running' },
    ...{ activations: [], ended: [], toolCalls: [] },
    createdAt: '2026-03-15T10:00:00Z',
    ...fields,
  };
  const question = { role: 'user', id: questionId, content: 'How is it in Bern?', skills: [] };
  const asked = { ...question, createdAt: answer.createdAt } as const;
  return { ...quietConversation, messages: [asked as never, answer] };
}

/** The page while a call runs; `push` sends events. */
function running(answers: Record<string, unknown> = {}) {
  const stream = openStream();
  const writes = renderChat(() => conversation({}), {
    [`GET /api/conversations/${id}/turn`]: () => stream.response,
    'GET /api/auth/me': me,
    ...answers,
  });
  stream.push(...start);
  return { writes, push: (...events: ChatEvent[]) => act(async () => stream.push(...events)) };
}

/** The page with a finished call. */
function ended(call: Partial<ToolCall>, answers: Record<string, unknown> = {}) {
  const toolCalls = [{ ...called, error: false, summary: '', ms: 1234, ...call }];
  return renderChat(() => conversation({ content: 'Sunny.', status: 'complete', toolCalls }), {
    [`GET /api/messages/${answerId}/calls/0`]: { content: '{"sky":"blue"}', isError: false, ms: 1 },
    ...answers,
  });
}

const cardName = 'Run “Weather” from Office?';
const findCard = async (name = cardName) => within(await screen.findByRole('region', { name }));

describe('a call of a tool', () => {
  it('is one line with its progress, then its duration', async () => {
    const { push } = running();
    const line = await screen.findByRole('button', { name: 'Weather · Office' });
    await push({ type: 'tool.progress', id: 'call-0', text: 'Asking 2 of 3 stations' });
    await waitFor(() => expect(line.textContent).toBe('Weather · Office · Asking 2 of 3 stations'));
    await userEvent.click(line);
    expect(await screen.findByText(/^Still running\. “Stop”/)).toBeTruthy();
    await push(end);
    await waitFor(() => expect(line.textContent).toBe('Weather · Office · 1.2 sec'));
  });

  it('shows arguments and result when opened by keyboard', async () => {
    const user = userEvent.setup();
    ended({});
    const line = await screen.findByRole('button', { name: 'Weather · Office · 1.2 sec' });
    expect(line.getAttribute('aria-expanded')).toBe('false');
    line.focus();
    await user.keyboard('{Enter}');
    const result = await screen.findByRole('group', { name: 'Result' });
    expect(result.textContent).toBe('{\n  "sky": "blue"\n}');
    expect(screen.getByRole('group', { name: 'Arguments' }).textContent).toContain(
      '"city": "Bern"',
    );
    expect(screen.getByRole('group', { name: 'Arguments' }).textContent).toContain('[U+202E]');
    expect(screen.getAllByRole('button', { name: 'Copy' }).length).toBeGreaterThanOrEqual(2);
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('group', { name: 'Result' })).toBeNull();
  });

  it('explains why its result cannot be loaded, and retries', async () => {
    const user = userEvent.setup();
    let isUp = false;
    ended(
      {},
      {
        [`GET /api/messages/${answerId}/calls/0`]: () =>
          isUp ? { content: 'Sunny.\nDry.', isError: false, ms: 1 } : refusal(500, 'internal'),
      },
    );
    await user.click(await screen.findByRole('button', { name: /^Weather/ }));
    const alert = await screen.findByRole('alert');
    isUp = true;
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect((await screen.findByRole('group', { name: 'Result' })).textContent).toBe('Sunny.\nDry.');
  });

  it.each([
    ['not allowed', 'Weather · Office · not approved'],
    ['wrong arguments', 'Weather failed · Office · invalid arguments · 1.2 sec'],
    ['failed', 'Weather failed · Office · 1.2 sec'],
  ])('without a result shows the reason: %s', async (summary, words) => {
    ended({ error: true, summary, ...(summary === 'not allowed' ? { ms: 0 } : {}) });
    expect(await screen.findByRole('button', { name: words })).toBeTruthy();
  });
});

describe('a call that needs consent', () => {
  const path = `POST /api/conversations/${id}/consents/call-0`;

  it.each([
    ['Allow once', 'once'],
    ['Allow in this conversation', 'conversation'],
    ['Always allow', 'always'],
    ['Deny', 'deny'],
  ])('waits for “%s”', async (label, decision) => {
    const { writes, push } = running({ [path]: noContent });
    await push(consent);
    const card = await findCard();
    expect(
      screen.getByRole('button', { name: 'Weather · Office · waiting for approval' }),
    ).toBeTruthy();
    expect(card.getByText('Gurten', { exact: false }).textContent).toContain('[U+202E]');
    expect(card.queryByText('This may change or delete data.')).toBeNull();
    expect(card.queryByRole('timer')).toBeNull();
    await userEvent.click(await card.findByRole('button', { name: label }));
    await waitFor(() => expect(writes).toMatchObject([{ line: path, body: { decision } }]));
    await push({ type: 'tool.answered', id: 'call-0' });
    await waitFor(() => expect(screen.queryByRole('region', { name: cardName })).toBeNull());
  });

  it('is announced to screen readers, takes the focus, and returns it', async () => {
    const { push } = running({ [path]: noContent });
    const field = await screen.findByRole('textbox', { name: 'Message' });
    field.focus();
    await push(consent);
    await findCard();
    expect(document.activeElement).toBe(screen.getByRole('region', { name: cardName }));
    await waitFor(() => {
      const told = screen.getAllByRole('status').filter((each) => each.textContent === cardName);
      expect(told).toHaveLength(1);
    });
    await push({ type: 'tool.answered', id: 'call-0' });
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  it('moves the focus to the composer, if nothing had it before', async () => {
    const user = userEvent.setup();
    const { push } = running({ [path]: noContent });
    await push(consent);
    const card = await findCard();
    card.getByRole('button', { name: 'Deny' }).focus();
    await user.keyboard('{Enter}');
    await push({ type: 'tool.answered', id: 'call-0' });
    await waitFor(() => expect(screen.queryByRole('region', { name: cardName })).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }));
  });

  it('does not take the focus from a user who is typing', async () => {
    const { push } = running();
    const field = await screen.findByRole('textbox', { name: 'Message' });
    await userEvent.type(field, 'And');
    await push(consent);
    await findCard();
    expect(document.activeElement).toBe(field);
  });

  it('warns of destructive effects, and counts down the last minute', async () => {
    const { push } = running();
    await push({ ...consent, isDestructive: true, expiresAt: inMinutes(0.5) });
    const card = await findCard();
    expect(card.getByText('This may change or delete data.')).toBeTruthy();
    expect(card.getByRole('timer').textContent).toMatch(/^Waits for (2\d|30) more seconds$/);
  });

  it('notes that its effects are unknown', async () => {
    const { push } = running();
    await push({ ...consent, isDestructive: true, isAssumed: true });
    const card = await findCard();
    expect(card.getByText(/^Knowhow does not know what this tool changes/)).toBeTruthy();
    expect(card.queryByText('This may change or delete data.')).toBeNull();
  });

  it('cannot be always allowed by a guest', async () => {
    const { push } = running({ 'GET /api/auth/me': { ...me, anonymous: true } });
    await push(consent);
    const card = await findCard();
    expect(card.getByRole('button', { name: 'Allow once' })).toBeTruthy();
    expect(card.queryByRole('button', { name: 'Always allow' })).toBeNull();
  });

  it('reports that it was answered elsewhere', async () => {
    const { push } = running({ [path]: () => refusal(404, 'not-found') });
    await push(consent);
    const card = await findCard();
    await userEvent.click(card.getByRole('button', { name: 'Allow once' }));
    expect((await card.findByRole('alert')).textContent).toMatch(
      /^This request was already answered/,
    );
    expect(card.queryByRole('button')).toBeNull();
  });
});

describe('a call that asks', () => {
  const name = '“Weather” from Office asks:';
  const path = `POST /api/conversations/${id}/questions/call-0%201`;
  const question: ChatEvent = {
    type: 'tool.question',
    ...{ id: 'call-0', question: 'call-0 1', title: 'Weather', source: 'Office' },
    ...{ message: 'Which one?', expiresAt: inMinutes(5) },
    fields: [
      { name: 'city', label: 'City', type: 'text', required: true },
      { name: 'days', label: 'Days', type: 'integer', required: false, default: 3 },
      { name: 'height', label: 'Height', type: 'number', required: false },
      { name: 'wind', label: 'With wind', type: 'boolean', required: true },
      {
        ...{ name: 'unit', label: 'Unit', type: 'choice', required: true },
        options: [
          { value: 'c', label: 'Celsius' },
          { value: 'f', label: 'Fahrenheit' },
        ],
      },
      {
        ...{ name: 'parts', label: 'Parts', type: 'choices', required: false, default: ['rain'] },
        options: [
          { value: 'rain', label: 'Rain' },
          { value: 'sun', label: 'Sun' },
        ],
      },
    ],
  };

  it("receives the form's values once they are valid", async () => {
    const user = userEvent.setup();
    const { writes, push } = running({ [path]: noContent });
    await push(question);
    const card = await findCard(name);
    expect(card.getByText('Which one?')).toBeTruthy();
    expect(
      screen.getByRole('button', { name: 'Weather · Office · waiting for your answer' }),
    ).toBeTruthy();
    const days = card.getByRole('textbox', { name: 'Days' });
    await user.clear(days);
    await user.type(days, '2.5');
    await user.click(card.getByRole('button', { name: 'Send' }));
    expect(card.getAllByText('This field is required.')).toHaveLength(2);
    expect(card.getByText('Enter a whole number.')).toBeTruthy();
    const city = card.getByRole('textbox', { name: /^City/ });
    await waitFor(() => expect(document.activeElement).toBe(city));
    expect(writes).toEqual([]);

    await user.type(city, 'Bern');
    await user.clear(days);
    await user.type(days, '2');
    await user.type(card.getByRole('textbox', { name: 'Height' }), '1,5');
    await user.click(card.getByRole('checkbox', { name: 'With wind' }));
    await user.click(card.getByRole('radio', { name: 'Fahrenheit' }));
    await user.click(card.getByRole('checkbox', { name: 'Sun' }));
    await user.click(card.getByRole('button', { name: 'Send' }));
    const values = { city: 'Bern', days: 2, height: 1.5, wind: true, unit: 'f' };
    const body = { action: 'accept', values: { ...values, parts: ['rain', 'sun'] } };
    await waitFor(() => expect(writes).toMatchObject([{ line: path, body }]));
  });

  it('can be declined', async () => {
    const { writes, push } = running({ [path]: noContent });
    await push(question);
    const card = await findCard(name);
    await userEvent.click(card.getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(writes).toMatchObject([{ body: { action: 'decline' } }]));
  });

  it('moves the focus to the composer when it is answered', async () => {
    const user = userEvent.setup();
    const { writes, push } = running({ [path]: noContent });
    const one = { name: 'city', label: 'City', type: 'text', required: true } as const;
    await push({ ...question, fields: [one] });
    const card = await findCard(name);
    await user.type(card.getByRole('textbox', { name: /^City/ }), 'Bern{Enter}');
    await waitFor(() => expect(writes).toHaveLength(1));
    await push({ type: 'tool.answered', id: 'call-0' });
    await waitFor(() => expect(screen.queryByRole('region', { name })).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }));
  });

  it('shows the host of the page to open, and continues afterwards', async () => {
    const { writes, push } = running({ [path]: noContent });
    await push({ ...question, fields: [], url: 'https://knowhow.example@evil.example/sign-in' });
    const card = await findCard(name);
    expect(card.getByText('evil.example').tagName).toBe('STRONG');
    const link = card.getByRole('link', { name: 'Open evil.example' });
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toContain('noopener');
    await userEvent.click(card.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(writes).toMatchObject([{ body: { action: 'accept' } }]));
  });

  it('does not open an invalid URL', async () => {
    const { push } = running();
    await push({ ...question, fields: [], url: 'javascript:alert(1)' });
    const card = await findCard(name);
    expect(card.queryByRole('link')).toBeNull();
    expect(card.getByText(/cannot be opened from here/)).toBeTruthy();
  });
});
