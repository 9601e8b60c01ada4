import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../../testing/render-with-server.tsx';
import { MailPage } from './mail-page.tsx';

it('says which variables to set without a mail server', async () => {
  renderWithServer(<MailPage />, { 'GET /api/admin/mail': {} });
  expect(await screen.findByRole('heading', { name: 'E-mail is not configured' })).toBeTruthy();
  expect(screen.getByText(/SMTP_URL and MAIL_FROM/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send a test message to me' })).toBeNull();
});

it('sends a test message, and shows why the last ones failed', async () => {
  const user = userEvent.setup();
  let isRefused = true;
  const writes = renderWithServer(<MailPage />, {
    'GET /api/admin/mail': {
      ...{ server: 'mail.example.org:587', from: 'knowhow@example.org' },
      address: 'una@example.org',
      failures: { people: 2, message: 'connect ECONNREFUSED', at: '2026-11-01T00:00:00.000Z' },
    },
    'POST /api/admin/mail/test': () => {
      const answer = isRefused ? { failed: '550 No such user', reason: 'refused' } : {};
      isRefused = false;
      return answer;
    },
  });
  expect(
    await screen.findByText('2 people are waiting for another attempt: connect ECONNREFUSED'),
  ).toBeTruthy();
  const button = screen.getByRole('button', { name: 'Send a test message to me' });
  await user.click(button);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(
    'The mail server has not accepted the message. Check the address and MAIL_FROM. It reported: 550 No such user',
  );
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(writes).toHaveLength(2);
});

it('offers no test to administrators without an address', async () => {
  renderWithServer(<MailPage />, {
    'GET /api/admin/mail': { server: 'mail.example.org:587', from: 'knowhow@example.org' },
  });
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: /test message/ });
  expect(button.disabled).toBe(true);
  expect(screen.getByText(/no e-mail address/)).toBeTruthy();
});
