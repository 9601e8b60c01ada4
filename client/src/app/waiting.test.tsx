import type { Conversation } from '@knowhow/shared/chat/conversations';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { eventStream, openStream } from '../testing/event-stream.ts';
import { quietConversation, renderChat } from '../testing/render-chat.tsx';
import { refusal } from '../testing/render-with-server.tsx';

const { id, createdAt } = quietConversation;
const answerId = id.replace(/..$/, '02');
const turn = `POST /api/apps/chat/chat/${id}`;
const done = { type: 'done', finishReason: 'stop' } as const;

const withAnswer = (status: 'running' | 'complete') =>
  ({
    ...quietConversation,
    messages: [
      { role: 'user', id: id.replace(/..$/, '01'), content: 'Why?', skills: [], createdAt },
      {
        ...{ role: 'assistant', id: answerId, content: 'Because', thinking: '', model: 'house' },
        ...{ status, activations: [], ended: [], toolCalls: [], createdAt },
      },
    ],
  }) as Conversation;

beforeEach(() => sessionStorage.clear());

/** A page that follows an answer, and collects the messages it sends. */
function setUp(answers: Record<string, unknown> = {}) {
  const stream = openStream();
  const writes = renderChat(() => withAnswer('running'), {
    [`GET /api/conversations/${id}/turn`]: () => stream.response,
    [turn]: () => eventStream(done),
    ...answers,
  });
  const sent = () => writes.filter(({ body }) => body).map(({ body }) => body);
  return { stream, sent };
}

async function write(text: string): Promise<void> {
  await screen.findByRole('button', { name: 'Stop' });
  await screen.findByRole('button', { name: 'Choose a model: House model' });
  await userEvent.type(screen.getByLabelText('Message'), text);
}

const slot = () => screen.findByRole('region', { name: 'Queued message' });
const noSlot = () =>
  waitFor(() => expect(screen.queryByRole('region', { name: 'Queued message' })).toBeNull());

it('is queued while an answer is written, and sent when that has ended', async () => {
  const { stream, sent } = setUp();
  await write('And then?{Enter}');
  expect(within(await slot()).getByText('And then?')).toBeTruthy();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('');
  await userEvent.type(screen.getByLabelText('Message'), 'Really?');
  await userEvent.click(screen.getByRole('button', { name: 'Send when the answer is done' }));
  expect((await slot()).textContent).toContain('Really?');
  expect(sent()).toEqual([]);
  stream.push(done);
  await waitFor(() => expect(sent()).toMatchObject([{ message: 'And then?\n\nReally?' }]));
  await noSlot();
});

it('is edited and removed, and then not sent', async () => {
  const { stream, sent } = setUp();
  await write('Wrong words{Enter}');
  await userEvent.click(within(await slot()).getByRole('button', { name: 'Edit this message' }));
  await noSlot();
  const field = screen.getByLabelText<HTMLTextAreaElement>('Message');
  expect(field.value).toBe('Wrong words');
  await userEvent.type(field, '!{Enter}');
  await userEvent.click(within(await slot()).getByRole('button', { name: 'Remove this message' }));
  await noSlot();
  stream.push(done);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull());
  expect(sent()).toEqual([]);
});

it.each([
  { type: 'done', finishReason: 'aborted' },
  { type: 'error', code: 'model-failed', message: 'Gone.' },
] as const)('stays after an answer that ends with %j, until its user sends it', async (end) => {
  const { stream, sent } = setUp();
  await write('And then?{Enter}');
  await slot();
  stream.push(end);
  await userEvent.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(sent()).toMatchObject([{ message: 'And then?' }]));
  await noSlot();
});

it('stays queued after a refusal, and is not sent repeatedly', async () => {
  const { stream, sent } = setUp({ [turn]: () => refusal(429, 'too-many-requests') });
  await write('And then?{Enter}');
  await slot();
  stream.push(done);
  await screen.findByRole('button', { name: 'Send now' });
  await screen.findByRole('alert');
  expect(sent()).toHaveLength(1);
  expect(within(await slot()).getByText('And then?')).toBeTruthy();
});

it('survives a reload', async () => {
  setUp();
  await write('And then?{Enter}');
  await slot();
  cleanup();
  const { stream, sent } = setUp();
  expect(within(await slot()).getByText('And then?')).toBeTruthy();
  stream.push(done);
  await waitFor(() => expect(sent()).toMatchObject([{ message: 'And then?' }]));
});
