import { configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { housesApp, quietConversation, renderChat } from '../../testing/render-chat.tsx';

configure({ asyncUtilTimeout: 8000 });

const variable = {
  description: '',
  options: [],
  defaultValue: '',
  required: false,
  maxLength: 200,
};
const asked = {
  variables: [
    { ...variable, name: 'department', label: 'Department', type: 'string', required: true },
    {
      ...variable,
      name: 'tone',
      label: 'Tone',
      type: 'select',
      defaultValue: 'dry',
      options: ['dry', 'warm'],
    },
  ],
  values: {},
  isIncomplete: true,
  canKeep: true,
};

it('an app with required questions asks them when it opens; later, they open by a button', async () => {
  const writes = renderChat(() => quietConversation, {
    'GET /api/apps': { items: [{ ...housesApp, asksUsers: true }], total: 1 },
    'GET /api/apps/chat/variables': asked,
    'PUT /api/apps/chat/variables': {
      ...asked,
      values: { department: 'Sales', tone: 'warm' },
      isIncomplete: false,
    },
  });
  const user = userEvent.setup();
  const dialog = within(await screen.findByRole('dialog', { name: 'Chat: about you' }));
  await user.type(dialog.getByLabelText(/Department/), 'Sales');
  await user.selectOptions(dialog.getByLabelText('Tone'), 'warm');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(writes[0]?.body).toEqual({ values: { department: 'Sales', tone: 'warm' } });
  await user.click(screen.getByRole('button', { name: 'What this app knows about you' }));
  const again = within(await screen.findByRole('dialog', { name: 'Chat: about you' }));
  expect(again.getByLabelText<HTMLInputElement>(/Department/).value).toBe('Sales');
});
