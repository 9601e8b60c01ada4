import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { quietConversation, renderChat } from '../../testing/render-chat.tsx';
import { refusal } from '../../testing/render-with-server.tsx';

const question = (number: number) => ({
  id: quietConversation.id.replace(/..$/, String(10 + number)),
  role: 'user' as const,
  content: `Question ${number}?`,
  skills: [],
  createdAt: '2026-03-01T10:00:00.000Z',
});

it('renders no message again while the user types, however many there are', async () => {
  const messages = Array.from({ length: 30 }, (_, number) => question(number));
  renderChat(() => ({ ...quietConversation, messages }));
  await screen.findByText('Question 29?');
  await screen.findByRole('button', { name: 'Choose a model: House model' });
  await waitFor(() => expect(screen.getAllByLabelText('Edit')).toHaveLength(30));
  // Meanwhile everything that the page loads has arrived.
  await userEvent.type(screen.getByLabelText('Message'), 'First ');
  // Each question calls this when it renders: a printed one is not folded.
  const asked = vi.spyOn(window, 'matchMedia');
  await userEvent.type(screen.getByLabelText('Message'), 'A long word');
  expect(asked.mock.calls.filter(([query]) => query === 'print')).toEqual([]);
});

it('shows for each suggestion its subtitle, or the message it sends', async () => {
  renderChat(() => quietConversation);
  expect(await screen.findByRole('button', { name: /Minutes ?Who does what/ })).toBeTruthy();
  expect(screen.getByRole('button', { name: /A letter ?Write a letter./ })).toBeTruthy();
});

it('shows "not found" for a conversation that was deleted in the meantime', async () => {
  let stored: () => typeof quietConversation | Response = () => ({
    ...quietConversation,
    messages: [question(1)],
  });
  renderChat(() => quietConversation, {
    [`GET /api/conversations/${quietConversation.id}`]: () => stored(),
  });
  await screen.findByText('Question 1?');
  stored = () => refusal(404, 'not-found');
  // The user returns to the tab.
  fireEvent(window, new Event('visibilitychange'));
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
  expect(screen.queryByLabelText('Message')).toBeNull();
});
