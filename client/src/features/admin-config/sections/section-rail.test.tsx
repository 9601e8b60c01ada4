import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../../testing/render-with-server.tsx';
import { PromptItem } from '../prompts/prompt-item.tsx';

// Required by autosizing fields, and missing in jsdom.
Object.assign(document, { fonts: new EventTarget() });
Element.prototype.scrollIntoView = () => undefined;

const config = {
  id: 'letter',
  name: { en: 'Letter', de: 'Brief' },
  prompt: 'Write to [name].',
  order: 1,
  variables: [{ name: 'name', type: 'string' }],
};

it('lists the sections of a form with summaries and errors, and links to them', async () => {
  const user = userEvent.setup();
  const item = { id: 'letter', path: 'contents/prompts/letter.json', text: '', checksum: 'c' };
  renderWithServer(<PromptItem id="letter" />, {
    'GET /api/admin/prompts/letter': { ...item, config },
  });
  const rail = within(await screen.findByRole('navigation', { name: 'Sections' }));
  const said = () => rail.getAllByRole('button').map(({ textContent }) => textContent);
  expect(said()).toEqual(['General2 languages', 'TextWrite to [name].', 'Variables1 variable']);

  const blanks = rail.getByRole('button', { name: /^Variables/ });
  await user.click(blanks);
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Variables' }));
  expect(blanks.getAttribute('aria-current')).toBe('location');

  await user.click(screen.getByRole('button', { name: 'Add variable' }));
  await user.keyboard('{Control>}s{/Control}');
  expect(
    await rail.findByRole('button', { name: /^Variables.*1 error.*2 variables/ }),
  ).toBeDefined();
});
