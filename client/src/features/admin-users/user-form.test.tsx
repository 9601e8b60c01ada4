import type { User } from '@knowhow/shared/access/admin-users';
import { problem } from '@knowhow/shared/problem';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { UserDialog } from './user-dialog.tsx';
import { UserForm } from './user-form.tsx';

const groups = { '/api/admin/groups': { items: [], total: 0 } };
const una: User = {
  id: '5d5d2c39-6a3c-4a8b-9f0d-0d9c2b6a1e01',
  username: 'una',
  name: 'Una',
  groups: [],
  disabled: false,
  isAdmin: false,
  createdAt: '2026-01-01T00:00:00.000Z',
};

function answerWith(answer: () => Response): unknown[] {
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
    if (init.body) {
      bodies.push(JSON.parse(String(init.body)));
    }
    return answer();
  });
  return bodies;
}

const directory = {
  ...{ provider: 'main', title: 'Company account', groups: [] },
  at: '2026-01-01T00:00:00.000Z',
};

describe('the form of a user', () => {
  it('sets an e-mail address, and shows a refusal', async () => {
    const user = userEvent.setup();
    const path = `/api/admin/users/${una.id}`;
    const onClose = vi.fn();
    let isRefused = true;
    const writes = renderWithServer(
      <UserDialog deed={{ deed: 'edit', user: una }} opened onClose={onClose} />,
      {
        'GET /api/admin/groups': groups['/api/admin/groups'],
        'GET /api/auth/me': {
          ...{ id: 'admin', name: 'Admin', groups: [], isAdmin: true, anonymous: false },
          ...{ mayChat: true, hasMail: true },
        },
        [`GET ${path}`]: { ...una, conversations: 0, mail: { isSetHere: false, isOn: true } },
        [`GET ${path}/skill-sharing`]: { skills: 0, people: 0, losing: 0 },
        [`PUT ${path}`]: una,
        [`PUT ${path}/mail`]: () => {
          const answer = isRefused
            ? refusal(400, 'invalid-request')
            : { isSetHere: true, isOn: true };
          isRefused = false;
          return answer;
        },
      },
    );
    await user.type(await screen.findByLabelText('E-mail address'), ' una@example.org ');
    const save = screen.getByRole('button', { name: 'Save' });
    expect(screen.getByRole('dialog', { name: una.name })).toBeTruthy();
    await user.click(save);
    expect(await screen.findByRole('alert')).toBeTruthy();
    await user.click(save);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(writes.map(({ body }) => body)).toEqual([
      { address: 'una@example.org' },
      { address: 'una@example.org' },
      { name: 'Una', groups: [], disabled: false },
    ]);
  });

  it('moves a provider sign-in to another account with a password', async () => {
    const onClose = vi.fn();
    const others = ['admin', 'ben'].map((username) => ({ ...una, id: username, username }));
    const listed = { items: [{ ...una, directory }, ...others], total: 3 };
    const path = `/api/admin/users/${una.id}/move-sign-in`;
    const deed = { deed: 'edit' as const, user: { ...una, directory } };
    const writes = renderWithServer(<UserDialog deed={deed} opened onClose={onClose} />, {
      'GET /api/admin/groups': groups['/api/admin/groups'],
      'GET /api/admin/users': listed,
      [`POST ${path}`]: { ...una, directory },
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Move sign-in…' }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Move the sign-in of Una/ }));
    await user.click(dialog.getByRole('combobox', { name: 'Account with a password' }));
    const options = await screen.findAllByRole('option', { hidden: true });
    expect(options.map(({ textContent }) => textContent)).toEqual(['Una (ben)']);
    fireEvent.click(screen.getByRole('option', { name: 'Una (ben)', hidden: true }));
    await user.click(dialog.getByRole('button', { name: 'Move sign-in' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    // Does not save the surrounding form.
    expect(writes).toMatchObject([{ line: `POST ${path}`, body: { to: 'ben' } }]);
  });

  it('creates a user, and shows the password until it is confirmed', async () => {
    const onClose = vi.fn();
    renderApp(<UserForm onClose={onClose} />, groups);
    const bodies = answerWith(() => Response.json({ user: una, password: 'well-made' }));
    const user = userEvent.setup();
    await user.type(screen.getByLabelText('User name'), 'una');
    await user.type(screen.getByLabelText('Name'), 'Una');
    await user.click(screen.getByRole('button', { name: 'Add user' }));
    expect(await screen.findByText('well-made')).toBeTruthy();
    expect(bodies).toEqual([{ username: 'una', name: 'Una', groups: [] }]);
    expect(onClose).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("shows the server's refusal in place", async () => {
    const onClose = vi.fn();
    renderApp(<UserForm user={una} onClose={onClose} />, groups);
    const refusal = problem('conflict', 'You cannot disable yourself.');
    const bodies = answerWith(() => Response.json(refusal.toBody(), { status: refusal.status }));
    const user = userEvent.setup();
    await user.click(screen.getByRole('switch', { name: /^Can sign in/ }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const note = await screen.findByRole('alert');
    expect(note.textContent).toContain('You cannot disable yourself.');
    await waitFor(() => expect(bodies).toEqual([{ name: 'Una', groups: [], disabled: true }]));
    expect(onClose).not.toHaveBeenCalled();
  });
});
