import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { ApiKeysDialog } from './api-keys-dialog.tsx';

const address = '/api/account/keys';
const key = `kh_${'x'.repeat(43)}`;
const details = {
  ...{ id: 'k1', name: 'Editor', prefix: 'kh_abcdefgh', scopes: ['chat', 'mcp'] },
  ...{ createdAt: '2026-03-01T10:00:00.000Z', expiresAt: '2026-04-01T10:00:00.000Z' },
};

it('lists keys by prefix, and revokes one after confirmation', async () => {
  const remove = `DELETE ${address}/k1`;
  const items = [details, { ...details, id: 'k2', name: 'CI', expiresAt: undefined }];
  const answers = {
    [`GET ${address}`]: { items, total: 2 },
    [remove]: () => new Response(null, { status: 204 }),
  };
  const sent = renderWithServer(<ApiKeysDialog onClose={vi.fn()} />, answers);
  expect(await screen.findByText('Chat, MCP · never used · expired')).toBeTruthy();
  expect(screen.getByText('Chat, MCP · never used · does not expire')).toBeTruthy();
  expect(screen.getAllByText('kh_abcdefgh…')).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: 'Revoke Editor' }));
  expect(await screen.findByText('Programs that use it lose access immediately.')).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(sent.map(({ line }) => line)).toEqual([remove]));
});

it('creates a key, shows it once, and returns to the list without it', async () => {
  const answers = {
    [`GET ${address}`]: { items: [], total: 0 },
    [`POST ${address}`]: { key, details },
  };
  const sent = renderWithServer(<ApiKeysDialog onClose={vi.fn()} />, answers);
  const user = userEvent.setup();
  expect(await screen.findByText(/You have no keys yet/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'New key' }));
  await user.type(screen.getByLabelText('Name'), 'Editor');
  const make = screen.getByRole<HTMLButtonElement>('button', { name: 'Create key' });
  await user.click(screen.getByLabelText(/^Chat/));
  expect(make.disabled).toBe(true);
  await user.click(screen.getByLabelText(/^MCP/));
  await user.selectOptions(screen.getByLabelText('Expires'), 'in 30 days');
  await user.click(make);
  expect(await screen.findByText(key)).toBeTruthy();
  expect(sent.map(({ body }) => body)).toEqual([
    { name: 'Editor', scopes: ['mcp'], expiresInDays: 30 },
  ]);
  await user.click(screen.getByRole('button', { name: 'I’ve saved it' }));
  expect(await screen.findByText(/You have no keys yet/)).toBeTruthy();
  expect(screen.queryByText(key)).toBeNull();
});

const me = {
  ...{ id: 'u1', name: 'Ann', groups: [], isAdmin: true, anonymous: false, mayChat: true },
};

it.each([
  ['authors of skills', ['skill-author:hr'], true],
  ['other administrators', ['users'], false],
])('offers the scope for authoring to %s: %j', async (_, adminRights, isOffered) => {
  renderWithServer(<ApiKeysDialog onClose={vi.fn()} />, {
    [`GET ${address}`]: { items: [], total: 0 },
    'GET /api/auth/me': { ...me, adminRights },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'New key' }));
  expect(await screen.findByLabelText(/^MCP/)).toBeTruthy();
  await waitFor(() => expect(screen.queryByLabelText(/^Authoring/) !== null).toBe(isOffered));
});
