import { configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { ConsentsDialog } from './consents-dialog.tsx';

configure({ asyncUtilTimeout: 8000 });

const at = '2026-03-01T10:00:00.000Z';
const weather = { id: 'a', tool: 'office/weather', title: 'Weather', source: 'Office', at };
const gone = { id: 'b', tool: 'old/gone', title: 'old/gone', source: '', at };

it('lists always allowed tools, and revokes one', async () => {
  let items = [weather, gone];
  const writes = renderWithServer(<ConsentsDialog onClose={vi.fn()} />, {
    'GET /api/account/consents': () => ({ items }),
    'DELETE /api/account/consents/a': () => {
      items = [gone];
      return new Response(null, { status: 204 });
    },
    'DELETE /api/account/consents/b': () => refusal(404, 'not-found'),
  });
  const dialog = within(await screen.findByRole('dialog', { name: 'Always allowed tools' }));
  expect((await dialog.findByText('Weather')).parentElement?.textContent).toContain('Office');
  expect(dialog.getByText(/This tool no longer exists/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Ask again before Weather runs' }));
  await waitFor(() => expect(dialog.queryByText('Weather')).toBeNull());
  expect(writes).toMatchObject([{ line: 'DELETE /api/account/consents/a' }]);
  await userEvent.click(dialog.getByRole('button', { name: 'Ask again before old/gone runs' }));
  expect(await dialog.findByRole('alert')).toBeTruthy();
});

it('explains how to allow a tool if there are none', async () => {
  renderWithServer(<ConsentsDialog onClose={vi.fn()} />, {
    'GET /api/account/consents': { items: [] },
  });
  expect(await screen.findByText(/Choose “Always allow”/)).toBeTruthy();
});
