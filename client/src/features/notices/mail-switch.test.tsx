import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { refusal, renderWithServer, type SentRequest } from '../../testing/render-with-server.tsx';
import { NoticesDialog } from './notices-dialog.tsx';

const me = {
  ...{ id: 'una', name: 'Una', groups: [], isAdmin: false, anonymous: false },
  ...{ mayChat: true, hasMail: true },
};
const name = 'E-mail me about my inbox and reviews';

it('switches e-mail off; a refusal changes nothing', async () => {
  const user = userEvent.setup();
  const stored = { address: 'una@example.org', isSetHere: true, isOn: true };
  let isRefused = true;
  const writes = renderWithServer(<NoticesDialog onClose={vi.fn()} />, {
    'GET /api/auth/me': me,
    'GET /api/account/mail': stored,
    'PUT /api/account/mail': ({ body }: SentRequest) => {
      const answer = isRefused ? refusal(503, 'not-ready') : { ...stored, ...(body as object) };
      isRefused = false;
      return answer;
    },
  });
  const toggle = await screen.findByRole<HTMLInputElement>('switch', { name });
  expect(toggle.checked).toBe(true);
  expect(screen.getByText(/^To una@example\.org/)).toBeTruthy();
  await user.click(toggle);
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(toggle.checked).toBe(true);
  await user.click(toggle);
  await waitFor(() => expect(toggle.checked).toBe(false));
  expect(writes.map(({ body }) => body)).toEqual([{ isOn: false }, { isOn: false }]);
});

it('says what to do without an address', async () => {
  const answers = { 'GET /api/account/mail': { isSetHere: false, isOn: true } };
  renderWithServer(<NoticesDialog onClose={vi.fn()} />, { 'GET /api/auth/me': me, ...answers });
  const toggle = await screen.findByRole<HTMLInputElement>('switch', { name });
  expect([toggle.disabled, toggle.checked]).toEqual([true, false]);
  expect(screen.getByText(/Ask an administrator/)).toBeTruthy();
});
