import { configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { KeyList } from './key-list.tsx';

// A page with many fields is slow on a busy machine.
configure({ asyncUtilTimeout: 8000 });

const address = '/api/admin/keys';
const key = `kh_${'x'.repeat(43)}`;
const details = {
  ...{ id: 'k1', name: 'Intranet', prefix: 'kh_abcdefgh', scopes: ['chat'], groups: ['staff'] },
  ...{ createdAt: '2026-03-01T10:00:00.000Z', createdBy: 'Admin' },
};

it('a key is created for a group, shown once, listed, and revoked after its name is typed', async () => {
  let items: (typeof details)[] = [];
  const sent = renderWithServer(<KeyList />, {
    'GET /api/admin/groups': {
      items: [{ id: 'staff', config: { name: 'Staff' }, path: 'x', text: '', checksum: 'x' }],
      total: 1,
    },
    [`GET ${address}`]: () => ({ items, total: items.length }),
    [`POST ${address}`]: () => {
      items = [details];
      return { key, details };
    },
    [`DELETE ${address}/k1`]: () => {
      items = [];
      return new Response(null, { status: 204 });
    },
  });
  const user = userEvent.setup();
  expect(await screen.findByText('No keys yet')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'New key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New key' }));
  await user.type(dialog.getByLabelText('Name'), 'Intranet');
  const make = dialog.getByRole<HTMLButtonElement>('button', { name: 'Create key' });
  expect(make.disabled).toBe(true);
  await user.click(dialog.getByRole('combobox', { name: 'Groups' }));
  await user.click(await screen.findByRole('option', { name: 'Staff' }));
  await user.type(dialog.getByLabelText('Messages per day'), '50');
  await user.click(make);
  expect(await dialog.findByText(key)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'I’ve saved it' }));
  await user.click(await screen.findByRole('button', { name: 'Revoke Intranet' }));
  const asks = within(await screen.findByRole('dialog', { name: 'Revoke “Intranet”?' }));
  await user.type(asks.getByRole('textbox'), 'Intranet');
  await user.click(asks.getByRole('button', { name: 'Revoke key' }));
  expect(await screen.findByText('No keys yet')).toBeTruthy();
  await waitFor(() =>
    expect(sent.map(({ body }) => body)[0]).toEqual({
      ...{ name: 'Intranet', groups: ['staff'], scopes: ['chat'], expiresInDays: 365 },
      quota: { turnsPerDay: 50 },
    }),
  );
});

it('warns about a key whose creator has lost permission to manage keys', async () => {
  renderWithServer(<KeyList />, {
    'GET /api/admin/groups': { items: [], total: 0 },
    [`GET ${address}`]: { items: [{ ...details, creatorLostRights: true }], total: 1 },
  });
  expect(
    await screen.findByText(/Admin created this key, .* no longer has permission/),
  ).toBeTruthy();
});
