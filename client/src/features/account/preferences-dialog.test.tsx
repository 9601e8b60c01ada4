import { configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { refusal, renderWithServer, type SentRequest } from '../../testing/render-with-server.tsx';
import { PreferencesDialog } from './preferences-dialog.tsx';

configure({ asyncUtilTimeout: 8000 });

const stored = { about: 'I am a nurse.', style: '', isOn: true, language: null };

it('saves custom instructions; a refusal loses nothing', async () => {
  let isRefused = true;
  const onClose = vi.fn();
  const writes = renderWithServer(<PreferencesDialog onClose={onClose} />, {
    'GET /api/account/preferences': stored,
    'PUT /api/account/preferences': ({ body }: SentRequest) => {
      const answer = isRefused ? refusal(503, 'unavailable') : body;
      isRefused = false;
      return answer;
    },
  });
  const user = userEvent.setup();
  const dialog = within(await screen.findByRole('dialog', { name: 'Your instructions' }));
  const about = await dialog.findByLabelText<HTMLTextAreaElement>(/know about you/);
  expect(about.value).toBe('I am a nurse.');
  await user.type(dialog.getByLabelText(/should they answer/), 'Briefly.');
  await user.click(dialog.getByRole('switch', { name: 'Enable custom instructions' }));
  await user.selectOptions(dialog.getByLabelText('Answer language'), 'German');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByRole('alert')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(writes[1]?.body).toEqual({ ...stored, style: 'Briefly.', isOn: false, language: 'de' });
});

it('asks before discarding unsaved changes', async () => {
  const onClose = vi.fn();
  renderWithServer(<PreferencesDialog onClose={onClose} />, {
    'GET /api/account/preferences': stored,
  });
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText(/know about you/), ' In Bern.');
  await user.keyboard('{Escape}');
  const question = within(await screen.findByRole('dialog', { name: 'Close without saving?' }));
  expect(onClose).not.toHaveBeenCalled();
  await user.click(question.getByRole('button', { name: 'Close without saving' }));
  expect(onClose).toHaveBeenCalled();
});
