import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { PasswordDialog } from './password-dialog.tsx';

const line = 'PUT /api/account/password';
const me = {
  'GET /api/auth/me': {
    ...{ id: 'a', name: 'Ada', groups: [], isAdmin: false, anonymous: false, mayChat: true },
    passwordMinLength: 15,
  },
};

async function fillIn(current: string, password: string) {
  fireEvent.change(await screen.findByLabelText('Current password'), {
    target: { value: current },
  });
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }));
}

describe('the dialog for the own password', () => {
  it('sends both passwords and closes', async () => {
    const onClose = vi.fn();
    const answers = { ...me, [line]: () => new Response(null, { status: 204 }) };
    const sent = renderWithServer(<PasswordDialog onClose={onClose} />, answers);
    await fillIn('the old one', 'seven calm herons');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent).toMatchObject([
      { line, body: { current: 'the old one', password: 'seven calm herons' } },
    ]);
  });

  it('shows at the field that the current password is wrong', async () => {
    const answers = { ...me, [line]: () => refusal(401, 'wrong-credentials') };
    renderWithServer(<PasswordDialog onClose={vi.fn()} />, answers);
    await fillIn('a guess', 'seven calm herons');
    expect(await screen.findByText('The current password is wrong.')).toBeTruthy();
  });

  it('shows the minimum length of the new password', async () => {
    const me = {
      id: 'a',
      name: 'Ada',
      groups: [],
      isAdmin: false,
      anonymous: false,
      mayChat: true,
    };
    const answers = { 'GET /api/auth/me': { ...me, passwordMinLength: 15 } };
    renderWithServer(<PasswordDialog onClose={vi.fn()} />, answers);
    expect(await screen.findByText('At least 15 characters.')).toBeTruthy();
  });

  it.each([
    ['too_small', 'This password is too short.'],
    ['common', 'This password is too common. Choose another.'],
    ['context', 'This password is too similar to a name. Choose another.'],
    ['unchanged', 'This is your current password. Choose another.'],
  ])(
    'says at the field, in the words of the reader, that the new one is %s',
    async (code, text) => {
      const answers = { ...me, [line]: () => refusal(400, 'invalid-request', code) };
      renderWithServer(<PasswordDialog onClose={vi.fn()} />, answers);
      await fillIn('the old one', 'not this one');
      expect(await screen.findByText(text)).toBeTruthy();
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );
});
