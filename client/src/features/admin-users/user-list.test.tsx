import type { User } from '@knowhow/shared/access/admin-users';
import { Notifications } from '@mantine/notifications';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { UserList } from './user-list.tsx';

// A page with many fields is slow on a busy machine.
configure({ asyncUtilTimeout: 8000 });

const una: User = {
  id: '5d5d2c39-6a3c-4a8b-9f0d-0d9c2b6a1e01',
  username: 'una',
  name: 'Una Uhl',
  groups: [],
  disabled: false,
  isAdmin: false,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const path = `/api/admin/users/${una.id}`;

const answers = (conversations: number) => ({
  'GET /api/admin/users': { items: [una], total: 1 },
  'GET /api/admin/groups': { items: [], total: 0 },
  'GET /api/admin/invitations': { items: [], total: 0 },
  [`GET ${path}`]: { ...una, conversations, mail: { isSetHere: false, isOn: true } },
});

async function askToDelete() {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Delete Una Uhl' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Una Uhl?' });
  return { user, dialog: within(dialog) };
}

it('a user is deleted after typing their name and deciding about their conversations', async () => {
  const addresses: string[] = [];
  const page = (
    <>
      <Notifications />
      <UserList />
    </>
  );
  const writes = renderWithServer(page, {
    ...answers(3),
    [`DELETE ${path}`]: () => new Response(null, { status: 204 }),
  });
  const answering = fetch;
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    addresses.push(`${init.method} ${address}`);
    return answering(address, init);
  });
  const { user, dialog } = await askToDelete();
  const choice = await dialog.findByRole('radiogroup', {
    name: 'What should happen to their 3 conversations?',
  });
  expect(within(choice).getByRole<HTMLInputElement>('radio', { name: 'Keep' }).checked).toBe(true);
  await user.click(within(choice).getByRole('radio', { name: 'Delete' }));
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete user' });
  expect(confirm.disabled).toBe(true);
  await user.type(dialog.getByRole('textbox', { name: /una/ }), 'una');
  await user.click(confirm);
  await waitFor(() => expect(writes).toHaveLength(1));
  expect(addresses).toContain(`DELETE ${path}?conversations=delete`);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByText('Una Uhl deleted.')).toBeDefined();
});

it('the dialog explains a refusal, and that there are no conversations', async () => {
  renderWithServer(<UserList />, {
    ...answers(0),
    [`DELETE ${path}`]: () => refusal(409, 'conflict'),
  });
  const { user, dialog } = await askToDelete();
  await dialog.findByText('This user has no conversations.');
  expect(dialog.queryByRole('radiogroup')).toBeNull();
  await user.type(dialog.getByRole('textbox', { name: /una/ }), 'una');
  await user.click(dialog.getByRole('button', { name: 'Delete user' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('No.');
});

it('distinguishes administrators with some permissions from full ones', async () => {
  const some: User = { ...una, isAdmin: true, adminRights: ['skills', 'audit'] };
  const all: User = { ...una, id: crypto.randomUUID(), isAdmin: true, adminRights: ['*'] };
  renderWithServer(<UserList />, {
    ...answers(0),
    'GET /api/admin/users': { items: [some, all], total: 2 },
  });
  const [, one, other] = await screen.findAllByRole('row');
  expect(one?.textContent).toContain('AdminSkills and plugins, Audit log');
  expect(other?.textContent).not.toContain('Audit log');
});

it('does not offer to delete the own account', async () => {
  const me = { ...una, id: 'me', name: 'Ann Admin' };
  renderWithServer(<UserList />, {
    ...answers(0),
    'GET /api/admin/users': { items: [una, me], total: 2 },
    'GET /api/auth/me': {
      ...{ id: 'me', name: me.name, groups: [], isAdmin: true, anonymous: false, mayChat: true },
    },
  });
  expect(await screen.findByRole('button', { name: 'Reset password of Ann Admin' })).toBeTruthy();
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Delete Ann Admin' })).toBeNull(),
  );
  expect(screen.getByRole('button', { name: 'Delete Una Uhl' })).toBeTruthy();
});
