import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { SecurityDialog } from './security-dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

const address = '/api/account/second-factor';
const me = { id: 'u1', name: 'Ann', groups: [], isAdmin: false, anonymous: false, mayChat: true };
const secret = { secret: 'ABCDEFGH', uri: 'otpauth://totp/Knowhow:ann?secret=ABCDEFGH' };

it('is switched on with the password and a code; the recovery codes are shown once', async () => {
  const user = userEvent.setup();
  let isOn = false;
  const sent = renderWithServer(<SecurityDialog onClose={vi.fn()} />, {
    'GET /api/auth/me': me,
    'GET /api/account/sessions': { items: [], total: 0 },
    [`GET ${address}`]: () => ({ isOn, recoveryCodes: isOn ? 10 : 0 }),
    [`POST ${address}`]: secret,
    [`PUT ${address}`]: () => {
      isOn = true;
      return { recoveryCodes: ['abcd-efgh-ijkl-mnop'] };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Switch on' }));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByLabelText('Current password')),
  );
  await user.keyboard('{Tab}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  await user.keyboard('{Enter}');
  const heading = screen.getByRole('heading', { name: 'Two-factor authentication' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  await user.click(await screen.findByRole('button', { name: 'Switch on' }));
  await user.type(screen.getByLabelText('Current password'), 'seven calm herons');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('img', { name: 'QR code for the app' })).toBeTruthy();
  expect(screen.getByText('ABCD EFGH')).toBeTruthy();
  await user.type(screen.getByLabelText('Code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Switch on' }));
  expect(await screen.findByText('abcd-efgh-ijkl-mnop')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'I’ve saved it' }));
  await user.keyboard('{Enter}');
  expect(await screen.findByText('On. 10 recovery codes are left.')).toBeTruthy();
  expect(document.activeElement).toBe(heading);
  expect(screen.queryByText('abcd-efgh-ijkl-mnop')).toBeNull();
  expect(sent.map(({ body }) => body)).toEqual([
    { password: 'seven calm herons' },
    { code: '123456' },
  ]);
});

it('asks for a code after the password, and again after a wrong one', async () => {
  const user = userEvent.setup();
  const onSignedIn = vi.fn();
  const answers = [
    refusal(401, 'second-factor-required'),
    refusal(401, 'wrong-code'),
    refusal(401, 'wrong-code'),
    Response.json(me),
  ];
  const sent = renderWithServer(<SignInForm onSignedIn={onSignedIn} isFirst />, {
    'POST /api/auth/login': () => answers.shift() ?? refusal(500, 'internal'),
  });
  await user.type(screen.getByLabelText('User name'), 'ann');
  await user.type(screen.getByLabelText('Password'), 'seven calm herons');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  const field = await screen.findByLabelText('Code');
  expect(document.activeElement).toBe(field);
  await user.type(field, '000000');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText(/This code is wrong .* Try the next one\./)).toBeTruthy();
  await user.clear(field);
  await user.type(field, 'abcd-efgh-ijkl-mnop');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText(/This recovery code is wrong .* Enter another one/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  expect(sent.at(-1)?.body).toEqual({
    ...{ username: 'ann', password: 'seven calm herons', code: 'abcd-efgh-ijkl-mnop' },
  });
});
