import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { ConnectionsDialog } from './connections-dialog.tsx';

const list = 'GET /api/account/connections';
const signedIn = {
  ...{ server: 'wiki', title: 'Wiki', issuer: 'id.example', status: 'signed-in' },
  ...{ since: '2026-03-01T10:00:00.000Z', isOffered: true },
};
const signedOut = { server: 'mail', title: 'Mail', status: 'signed-out', isOffered: true };

const refused = {
  ...{ type: '', title: '', status: 409, code: 'conflict' },
  detail: 'id.example registers nobody by itself.',
};

describe('the dialog of connections', () => {
  it('lists sign-ins, and signs out', async () => {
    const remove = 'DELETE /api/account/connections/wiki';
    const items = [signedIn, { ...signedOut, status: 'refused', issuer: 'id.example' }];
    const answers = { [list]: { items, total: 2 }, [remove]: { revoked: true } };
    const sent = renderWithServer(<ConnectionsDialog onClose={vi.fn()} />, answers);
    expect(await screen.findByText(/^Signed in at id.example since/)).toBeTruthy();
    expect(screen.getByText('Signed out by id.example. Sign in again.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Sign out of Wiki' }));
    await waitFor(() => expect(sent.map(({ line }) => line)).toContain(remove));
  });

  it('offers to sign in again if more permissions are required', async () => {
    const items = [{ ...signedIn, status: 'limited' }];
    renderWithServer(<ConnectionsDialog onClose={vi.fn()} />, { [list]: { items, total: 1 } });
    expect(await screen.findByText(/Additional permissions are required/)).toBeTruthy();
    const button = screen.getByRole('button', { name: 'Sign in to Wiki' });
    expect(button.textContent).toBe('Sign in again');
  });

  it('explains why a sign-in does not start', async () => {
    const begin = 'POST /api/account/connections/mail/sign-in';
    const answers = {
      [list]: { items: [signedOut], total: 1 },
      [begin]: () => Response.json(refused, { status: 409 }),
    };
    renderWithServer(<ConnectionsDialog onClose={vi.fn()} />, answers);
    fireEvent.click(await screen.findByRole('button', { name: 'Sign in to Mail' }));
    expect(await screen.findByText(/registers nobody by itself/)).toBeTruthy();
  });

  it('says that no server requires a sign-in', async () => {
    renderWithServer(<ConnectionsDialog onClose={vi.fn()} />, { [list]: { items: [], total: 0 } });
    expect(await screen.findByText('No tool server requires a sign-in.')).toBeTruthy();
  });
});
