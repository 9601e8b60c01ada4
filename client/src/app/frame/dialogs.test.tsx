import type { Me } from '@knowhow/shared/access/auth';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { Dialogs, type OpenDialog } from './dialogs.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const me = { id: 'mia', name: 'Mia', anonymous: false, isAdmin: false } as Me;

function Page() {
  const [open, setOpen] = useState<OpenDialog>();
  useShortcuts({
    search: () => setOpen('commands'),
    newConversation: () => undefined,
    keys: () => undefined,
  });
  return (
    <>
      <textarea aria-label="Message" />
      <Dialogs me={me} open={open} onOpen={setOpen} />
    </>
  );
}

it('searches for the text typed while the search was loading', async () => {
  renderApp(<Page />, {
    '/api/conversations': { items: [], total: 0 },
    '/api/skills': { items: [], total: 0 },
  });
  const user = userEvent.setup();
  const message = screen.getByLabelText<HTMLTextAreaElement>('Message');
  await user.click(message);
  await user.keyboard('{Control>}k{/Control}herons');
  const search = await screen.findByRole<HTMLInputElement>('combobox', {}, { timeout: 15_000 });
  await user.keyboard(' north');
  expect([search.value, message.value]).toEqual(['herons north', '']);
  await user.keyboard('{Escape}');
  await expect.poll(() => document.activeElement).toBe(message);
});
