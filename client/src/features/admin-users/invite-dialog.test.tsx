import { Notifications } from '@mantine/notifications';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { UserList } from './user-list.tsx';

// A page with many fields is slow on a busy machine.
configure({ asyncUtilTimeout: 8000 });

const address = '/api/admin/invitations';
const details = {
  ...{ id: 'i1', note: 'Ann of sales', groups: [], createdBy: 'Admin', isVoid: false },
  ...{ createdAt: '2026-03-01T10:00:00.000Z', expiresAt: '2026-03-08T10:00:00.000Z' },
};

it('a link is created, shown once, listed, and revoked', async () => {
  let items: (typeof details)[] = [];
  const page = (
    <main>
      <UserList />
      <Notifications />
    </main>
  );
  const sent = renderWithServer(page, {
    'GET /api/admin/users': { items: [], total: 0 },
    'GET /api/admin/groups': { items: [], total: 0 },
    [`GET ${address}`]: () => ({ items, total: items.length }),
    [`POST ${address}`]: () => {
      items = [details];
      return { path: '/invitation#secret', details };
    },
    [`DELETE ${address}/i1`]: () => {
      items = [];
      return new Response(null, { status: 204 });
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite' }));
  await user.type(dialog.getByLabelText('For'), 'Ann of sales');
  await user.click(dialog.getByRole('button', { name: 'Create link' }));
  expect(await dialog.findByText(`${location.origin}/invitation#secret`)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  const list = await screen.findByRole('table', { name: 'Open invitations' });
  expect(within(list).getByText('Ann of sales')).toBeTruthy();
  await revoke(user, 'Ann of sales');
  expect(await screen.findByText(/“Ann of sales” revoked. Its link no longer works/)).toBeTruthy();
  expect(sent[0]?.body).toEqual({ note: 'Ann of sales', groups: [], expiresInDays: 7 });
  await screen.findByText(/No users found/);
  await waitFor(() => expect(screen.queryByRole('table', { name: 'Open invitations' })).toBeNull());
  const heading = screen.getByRole('heading', { level: 1 });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

/** By keyboard, after the confirmation. */
async function revoke(user: UserEvent, name: string): Promise<void> {
  screen.getByRole('button', { name: `Revoke invitation: ${name}` }).focus();
  await user.keyboard('{Enter}');
  const title = `Revoke the invitation for “${name}”?`;
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  expect(dialog.getByText('The invitation link stops working immediately.')).toBeTruthy();
  dialog.getByRole('button', { name: 'Revoke' }).focus();
  await user.keyboard('{Enter}');
}

it('is not revoked without confirmation; afterwards the next one has the focus', async () => {
  let items = ['Ann', 'Ben', 'Cleo'].map((note) => ({ ...details, id: note, note }));
  const sent = renderWithServer(<UserList />, {
    'GET /api/admin/users': { items: [], total: 0 },
    'GET /api/admin/groups': { items: [], total: 0 },
    [`GET ${address}`]: () => ({ items, total: items.length }),
    [`DELETE ${address}/Ben`]: () => {
      items = items.filter(({ id }) => id !== 'Ben');
      return new Response(null, { status: 204 });
    },
  });
  const user = userEvent.setup();
  const ben = await screen.findByRole('button', { name: 'Revoke invitation: Ben' });
  await user.click(ben);
  await screen.findByRole('dialog', { name: 'Revoke the invitation for “Ben”?' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([]);
  await revoke(user, 'Ben');
  await waitFor(() => expect(ben.isConnected).toBe(false));
  const next = screen.getByRole('button', { name: 'Revoke invitation: Cleo' });
  await waitFor(() => expect(document.activeElement).toBe(next));
});

it('marks an invitation as invalid once its creator may not grant its groups', async () => {
  renderWithServer(<UserList />, {
    'GET /api/admin/users': { items: [], total: 0 },
    'GET /api/admin/groups': { items: [], total: 0 },
    [`GET ${address}`]: { items: [{ ...details, isVoid: true }], total: 1 },
  });
  const list = await screen.findByRole('table', { name: 'Open invitations' });
  expect(within(list).getByText('invalid')).toBeTruthy();
  expect(within(list).getByText(/may no longer grant these groups/)).toBeTruthy();
  expect(within(list).getByRole('button', { name: /Revoke invitation/ })).toBeTruthy();
});
