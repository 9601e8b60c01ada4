import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { quietConversation } from '../testing/render-chat.tsx';
import { renderShell } from '../testing/render-shell.tsx';

const { id } = quietConversation;
const otherId = id.replace(/..$/, '12');

/** A sidebar with two conversations, one of them pinned, and a server that accepts every change. */
function renderSidebar() {
  const items = [
    { ...quietConversation, isPinned: true },
    { ...quietConversation, id: otherId, title: 'Storks' },
  ];
  return renderShell({
    'GET /api/conversations': { items, total: 2 },
    [`PATCH /api/conversations/${id}`]: quietConversation,
    [`PATCH /api/conversations/${otherId}`]: quietConversation,
  });
}

afterEach(() => {
  notifications.clean();
});

async function choose(title: string, item: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for “${title}”` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
}

it("pins and archives from a row's menu", async () => {
  const writes = renderSidebar();
  const pinned = await screen.findByRole('list', { name: 'Pinned' });
  expect(within(pinned).getByRole('link').textContent).toBe('Herons');
  await choose('Herons', 'Unpin');
  await choose('Storks', 'Archive');
  await waitFor(() =>
    expect(writes.map(({ line, body }) => [line, body])).toEqual([
      [`PATCH /api/conversations/${id}`, { pinned: false }],
      [`PATCH /api/conversations/${otherId}`, { archived: true }],
    ]),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Archived' }));
  expect(await screen.findByRole('navigation', { name: 'Archived' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'All conversations' }));
  expect(await screen.findByRole('navigation', { name: 'Conversations' })).toBeTruthy();
});

it('deletes several conversations at once with the keyboard', async () => {
  renderSidebar();
  await choose('Herons', 'Select');
  const chosen = await screen.findByRole('checkbox', { name: 'Select “Herons”', checked: true });
  await waitFor(() => expect(document.activeElement).toBe(chosen));
  await userEvent.keyboard('{Tab} ');
  expect(await screen.findByText('2 selected')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Delete 2' }));
  expect(screen.queryByRole('link', { name: 'Herons' })).toBeNull();
  expect(
    await screen.findByText('No conversations yet. Send a message to start one.'),
  ).toBeTruthy();
});

it('ends a selection with Escape', async () => {
  renderSidebar();
  await choose('Storks', 'Select');
  await screen.findByRole('checkbox', { name: 'Select “Storks”', checked: true });
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('checkbox')).toBeNull();
});

it('keeps the focus in the list when the focused row disappears or changes', async () => {
  renderSidebar();
  await choose('Storks', 'Rename');
  await screen.findByRole('textbox', { name: 'New title' });
  await userEvent.keyboard('{Enter}');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Storks' })),
  );
  await choose('Herons', 'Delete');
  const next = screen.getByRole('button', { name: 'Actions for “Storks”' });
  await waitFor(() => expect(document.activeElement).toBe(next));
});

it('focuses the restored conversation when its deletion is undone', async () => {
  const user = userEvent.setup();
  renderSidebar();
  await choose('Storks', 'Delete');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Storks' })).toBeNull());
  const undo = await screen.findByRole('button', { name: 'Undo' });
  undo.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Storks' }));
});
