import { configure, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
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
  const sent = renderWithServer(<UserList />, {
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
  await user.click(screen.getByRole('button', { name: /Revoke invitation/ }));
  expect(sent[0]?.body).toEqual({ note: 'Ann of sales', groups: [], expiresInDays: 7 });
  await screen.findByText(/No users found/);
  expect(screen.queryByRole('table', { name: 'Open invitations' })).toBeNull();
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
