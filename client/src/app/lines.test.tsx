import type { Conversation } from '@knowhow/shared/chat/conversations';
import { act, screen, waitFor } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { eventStream, openStream } from '../testing/event-stream.ts';
import { houseModel, housesApp, quietConversation, renderChat } from '../testing/render-chat.tsx';
import { refusal } from '../testing/render-with-server.tsx';

const { id, createdAt } = quietConversation;
const idOf = (number: number) => id.replace(/..$/, String(10 + number));
const address = `PUT /api/conversations/${id}/line`;

const question = (number: number, content: string, lines?: object) => ({
  ...{ role: 'user' as const, id: idOf(number), content, skills: [], createdAt },
  ...(lines ? { lines } : {}),
});

const answer = (number: number, content: string, more: object = {}) => ({
  ...{ role: 'assistant' as const, id: idOf(number), content, thinking: '', model: 'house' },
  ...{ status: 'complete' as const, activations: [], ended: [], toolCalls: [], createdAt },
  ...more,
});

const withMessages = (...messages: object[]) =>
  ({ ...quietConversation, messages }) as Conversation;

const first = withMessages(
  question(0, 'Old words?', { at: 1, of: 2, after: idOf(2) }),
  answer(1, 'Old answer.'),
);
const second = withMessages(
  question(2, 'New words?', { at: 2, of: 2, before: idOf(0) }),
  answer(3, 'New answer.'),
);
const taken = () => new Response(null, { status: 204 });
const button = (name: string) => screen.findByRole('button', { name });

it('switches between versions with the arrow buttons and keys, and keeps the focus', async () => {
  let shown = second;
  const writes = renderChat(() => shown, {
    [address]: () => {
      shown = shown === first ? second : first;
      return taken();
    },
  });
  expect(await screen.findByText('2 / 2')).toBeTruthy();
  expect((await button('Next version')).hasAttribute('disabled')).toBe(true);
  await userEvent.click(await button('Previous version'));
  expect(await screen.findByText('Old words?')).toBeTruthy();
  expect(await screen.findByText('1 / 2')).toBeTruthy();
  expect(screen.queryByText('New words?')).toBeNull();
  await waitFor(async () => expect(document.activeElement).toBe(await button('Next version')));
  await userEvent.keyboard('{ArrowRight}');
  expect(await screen.findByText('New words?')).toBeTruthy();
  await waitFor(async () => expect(document.activeElement).toBe(await button('Previous version')));
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText('Old answer.')).toBeTruthy();
  expect(writes.map(({ body }) => body)).toEqual([
    { question: idOf(0) },
    { question: idOf(2) },
    { question: idOf(0) },
  ]);
});

it('opens a message that a URL names, even in an archived branch', async () => {
  let shown = second;
  const writes = renderChat(() => shown, {
    [address]: () => {
      shown = first;
      return taken();
    },
  });
  await screen.findByText('New answer.');
  const focused = () => document.activeElement?.textContent ?? '';
  act(() => goTo(`#${idOf(3)}`));
  await waitFor(() => expect(focused()).toContain('New answer.'));
  expect(writes).toEqual([]);
  act(() => goTo(`#${idOf(1)}`));
  await waitFor(() => expect(focused()).toContain('Old answer.'));
  expect(writes.map(({ body }) => body)).toEqual([{ question: idOf(1) }]);
});

function goTo(hash: string): void {
  history.pushState(null, '', hash);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

it('explains why it cannot switch, and shows the current state', async () => {
  let shown = second;
  renderChat(() => shown, {
    [address]: () => {
      shown = withMessages(question(2, 'New words?'), answer(3, 'New answer.'));
      return refusal(404, 'not-found');
    },
  });
  await userEvent.click(await button('Previous version'));
  await waitFor(() => expect(screen.queryByText('2 / 2')).toBeNull());
  expect(screen.getByText('New words?')).toBeTruthy();
});

it('shows versions of a retried answer at the answer, and disables switching while one is written', async () => {
  const stream = openStream();
  const lines = { at: 2, of: 2, before: idOf(7) };
  renderChat(
    () =>
      withMessages(
        ...[question(0, 'Why?'), answer(1, 'Because.', { lines })],
        ...[question(2, 'And?'), answer(3, 'So', { status: 'running' })],
      ),
    { [`GET /api/conversations/${id}/turn`]: () => stream.response },
  );
  expect(await screen.findByText('2 / 2')).toBeTruthy();
  // The page first loads the conversation, and then learns that the answer is still being written.
  await waitFor(async () =>
    expect((await button('Previous version')).hasAttribute('disabled')).toBe(true),
  );
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull());
});

it('retries any answer, also with another model', async () => {
  const path = `POST /api/apps/chat/chat/${id}`;
  const other = { ...houseModel, id: 'other', name: 'Other model', default: false };
  const without = { ...houseModel, id: 'keyless', name: 'Keyless', needs: 'key' };
  const list = (...items: unknown[]) => ({ items, total: items.length });
  const writes = renderChat(
    () =>
      withMessages(
        ...[question(0, 'Why?'), answer(1, 'Because.')],
        ...[question(2, 'And?'), answer(3, 'So.')],
      ),
    {
      'GET /api/apps': list({ ...housesApp, models: ['house', 'other', 'keyless'] }),
      'GET /api/models': list(houseModel, other, without),
      [path]: () => eventStream({ type: 'done', finishReason: 'stop' }),
    },
  );
  await screen.findByText('Because.');
  const [menu] = await screen.findAllByRole('button', { name: 'Retry with another model' });
  await userEvent.click(menu as HTMLElement);
  expect(screen.queryByRole('menuitem', { name: 'House model' })).toBeNull();
  expect(screen.queryByRole('menuitem', { name: 'Keyless' })).toBeNull();
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Other model' }));
  await waitFor(() => expect(writes).toHaveLength(1));
  expect(writes[0]?.body).toMatchObject({ message: 'Why?', replaces: idOf(0), model: 'other' });
});

describe('the keyboard focus', () => {
  const path = `POST /api/apps/chat/chat/${id}`;
  const composer = () => screen.getByRole('textbox', { name: 'Message' });

  function setUp() {
    const user = userEvent.setup();
    const stream = openStream();
    const writes = renderChat(() => withMessages(question(0, 'Why?'), answer(1, 'Because.')), {
      [path]: () => stream.response,
    });
    const press = async (name: string) => {
      await screen.findByRole('button', { name: 'Choose a model: House model' });
      (await button(name)).focus();
      await user.keyboard('{Enter}');
    };
    return { user, writes, press };
  }

  it.each([
    ['Escape', (user: UserEvent) => user.keyboard('{Escape}')],
    ['“Cancel”', (user: UserEvent) => user.keyboard('{Tab}{Enter}')],
  ])('returns to “Edit” when %s cancels the edit', async (_, cancel) => {
    const { user, press } = setUp();
    await press('Edit');
    const field = await screen.findByRole('textbox', { name: 'Edit your message' });
    await waitFor(() => expect(document.activeElement).toBe(field));
    await cancel(user);
    await waitFor(async () => expect(document.activeElement).toBe(await button('Edit')));
  });

  it.each(['{Enter}', '{Tab}{Tab}{Enter}'])(
    'moves to the composer when %s sends an edited message',
    async (keys) => {
      const { user, writes, press } = setUp();
      await press('Edit');
      const field = await screen.findByRole('textbox', { name: 'Edit your message' });
      await waitFor(() => expect(document.activeElement).toBe(field));
      await user.keyboard(`!${keys}`);
      await waitFor(() => expect(writes).toMatchObject([{ line: path }]));
      await button('Stop');
      expect(document.activeElement).toBe(composer());
    },
  );

  it('moves to the composer when the answer is retried', async () => {
    const { writes, press } = setUp();
    await press('Retry');
    await waitFor(() => expect(writes).toMatchObject([{ line: path }]));
    await button('Stop');
    expect(document.activeElement).toBe(composer());
  });
});
