import { configure, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../../testing/render-with-server.tsx';
import { ProviderKeys } from './provider-keys.tsx';

// A page with many fields is slow on a busy machine.
configure({ asyncUtilTimeout: 8000 });

const address = '/api/admin/provider-keys';

it('a missing key is entered and tested; a key from the environment is shown as such', async () => {
  let entered: object = { source: 'none' };
  const sent = renderWithServer(<ProviderKeys />, {
    [`GET ${address}`]: () => ({
      items: [
        { variable: 'OPENAI_API_KEY', models: ['gpt'], isNeeded: true, ...entered },
        { variable: 'MISTRAL_API_KEY', models: [], isNeeded: true, source: 'environment' },
      ],
      total: 2,
    }),
    [`PUT ${address}/OPENAI_API_KEY`]: () => {
      entered = { source: 'entered', enteredBy: 'Admin', enteredAt: new Date().toISOString() };
      return new Response(null, { status: 204 });
    },
    'POST /api/admin/models/gpt/test': { works: true, milliseconds: 120 },
  });
  const user = userEvent.setup();
  expect(await screen.findByText('from the environment')).toBeTruthy();
  expect(screen.getByText('missing')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Enter key: OPENAI_API_KEY' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'OPENAI_API_KEY' }));
  await user.type(dialog.getByLabelText('Key'), 'sk-a-key');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/entered by Admin/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Test with gpt' }));
  expect(await screen.findByText('Works: 120 ms.')).toBeTruthy();
  expect(sent[0]?.body).toEqual({ key: 'sk-a-key' });
});
