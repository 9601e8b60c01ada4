import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { SecurityDialog } from './security-dialog.tsx';

const address = '/api/account/sessions';
const at = '2026-03-01T10:00:00.000Z';
const here = { id: 's1', isCurrent: true, browser: 'Firefox', system: 'Linux', startedAt: at };
const ann = { id: 'u1', name: 'Ann', groups: [], isAdmin: false, anonymous: false, mayChat: true };
const there = { id: 's2', isCurrent: false, address: '192.0.2.1', lastUsedAt: at };

it('lists active sessions, ends one, and ends all others after confirmation', async () => {
  const answers = {
    'GET /api/auth/me': ann,
    'GET /api/account/second-factor': { isOn: false, recoveryCodes: 0 },
    [`GET ${address}`]: { items: [here, there], total: 2 },
    [`DELETE ${address}/s2`]: () => new Response(null, { status: 204 }),
    [`DELETE ${address}`]: () => new Response(null, { status: 204 }),
  };
  const sent = renderWithServer(<SecurityDialog onClose={vi.fn()} />, answers);
  expect(await screen.findByText('Current session')).toBeTruthy();
  expect(screen.getByText(/Firefox on Linux/)).toBeTruthy();
  expect(screen.getByText(/192\.0\.2\.1 · last used/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Sign out the session: Unknown program' }));
  await waitFor(() => expect(sent.map(({ line }) => line)).toEqual([`DELETE ${address}/s2`]));
  fireEvent.click(screen.getByRole('button', { name: 'Sign out all other sessions' }));
  expect(await screen.findByText(/You will be signed out on all other devices/)).toBeTruthy();
  fireEvent.click(
    screen.getAllByRole('button', { name: 'Sign out all other sessions' }).at(-1) as HTMLElement,
  );
  await waitFor(() => expect(sent.at(-1)?.line).toBe(`DELETE ${address}`));
});

it('offers no two-factor authentication to users of an identity provider', async () => {
  renderWithServer(<SecurityDialog onClose={vi.fn()} />, {
    'GET /api/auth/me': { ...ann, signsInWith: 'Company account' },
    [`GET ${address}`]: { items: [here], total: 1 },
  });
  expect(await screen.findByText('Current session')).toBeTruthy();
  expect(screen.queryByText(/code/i)).toBeNull();
});
