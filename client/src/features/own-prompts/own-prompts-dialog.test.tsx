import { configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderWithServer, type SentRequest } from '../../testing/render-with-server.tsx';
import { OwnPromptsDialog } from './own-prompts-dialog.tsx';

configure({ asyncUtilTimeout: 8000 });

const at = '2026-03-01T10:00:00.000Z';
const greet = { id: 'a', name: 'Greet', text: 'Greet [name].', groups: ['staff'], updatedAt: at };
const theirs = {
  ...{ id: 'own:b', name: 'Thanks', description: '', prompt: 'Say thanks.', variables: [] },
  sharedBy: 'Ben',
};

it('prompts are written, shared, copied from others, and deleted after confirmation', async () => {
  let items = [greet];
  const writes = renderWithServer(<OwnPromptsDialog onClose={vi.fn()} />, {
    'GET /api/account/prompts': () => ({ items, groups: [{ id: 'staff', name: 'Staff' }] }),
    'GET /api/prompts': { items: [theirs], total: 1 },
    'POST /api/account/prompts': ({ body }: SentRequest) => ({ ...greet, ...(body as object) }),
    'DELETE /api/account/prompts/a': () => {
      items = [];
      return new Response(null, { status: 204 });
    },
  });
  const user = userEvent.setup();
  const dialog = within(await screen.findByRole('dialog', { name: 'Your prompts' }));
  expect(await dialog.findByText('Shared with Staff')).toBeTruthy();
  await user.click(await dialog.findByRole('button', { name: 'Copy Thanks' }));
  const form = within(await screen.findByRole('dialog', { name: 'New prompt' }));
  const text = form.getByLabelText<HTMLTextAreaElement>('Text');
  expect(text.value).toBe('Say thanks.');
  await user.type(text, ' For [[gift].');
  expect(form.getByText('Placeholders: gift')).toBeTruthy();
  await user.click(form.getByRole('checkbox', { name: 'Staff' }));
  await user.click(form.getByRole('button', { name: 'Save' }));
  await user.click(await dialog.findByRole('button', { name: 'Delete Greet' }));
  const question = within(await screen.findByRole('dialog', { name: 'Delete “Greet”?' }));
  expect(question.getByText('Its text will be lost, also for members of Staff.')).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Delete prompt' }));
  await waitFor(() => expect(screen.queryByText('Greet')).toBeNull());
  expect(writes).toMatchObject([
    { body: { name: 'Thanks', text: 'Say thanks. For [gift].', groups: ['staff'] } },
    { line: 'DELETE /api/account/prompts/a' },
  ]);
});

it('when opened for a message, it suggests its text and a name', async () => {
  const onClose = vi.fn();
  renderWithServer(<OwnPromptsDialog text={'Sort this.\nThen rest.'} onClose={onClose} />, {
    'GET /api/account/prompts': { items: [], groups: [] },
    'POST /api/account/prompts': greet,
  });
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  expect(name.value).toBe('Sort this.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});
