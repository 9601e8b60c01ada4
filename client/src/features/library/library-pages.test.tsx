import type { LibrarySkill } from '@knowhow/shared/skills/library';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { LibraryPage } from './library-page.tsx';
import { LibrarySkillPage } from './library-skill-page.tsx';

const skill: LibrarySkill = {
  ...{ name: 'invoices', displayName: 'Invoices', description: 'Writes invoices.' },
  ...{ userInvocable: true, tags: [], requiresTools: [], category: 'Finance', uses: 4 },
  published: { number: 3, at: new Date(Date.now() - 86_400_000).toISOString() },
};
const list = 'GET /api/library';
const pageOf = (items: LibrarySkill[]) => ({
  items,
  total: items.length,
  categories: items.length > 0 ? [{ name: 'Finance', skills: items.length }] : [],
});

it('shows what each skill does, how often it is used and its version', async () => {
  renderWithServer(<LibraryPage />, { [list]: pageOf([skill]) });
  const link = await screen.findByRole('link', { name: 'Invoices' });
  expect(link.getAttribute('href')).toBe('/skills/invoices');
  expect(screen.getByText('4 answers in 30 days')).toBeTruthy();
  expect(screen.getByText('Version 3, yesterday')).toBeTruthy();
  expect(screen.getByRole('option', { name: 'Finance (1)' })).toBeTruthy();
});

it('shows no version of a skill that was never changed', async () => {
  const first = { ...skill, published: { number: 1, at: new Date().toISOString() } };
  renderWithServer(<LibraryPage />, { [list]: pageOf([first]) });
  expect(await screen.findByText('4 answers in 30 days')).toBeTruthy();
  expect(screen.queryByText(/^Version/)).toBeNull();
});

it('offers no order by use if uses are not counted', async () => {
  const { uses: _, ...uncounted } = skill;
  renderWithServer(<LibraryPage />, { [list]: pageOf([uncounted]) });
  await screen.findByRole('link', { name: 'Invoices' });
  expect(screen.queryByRole('radio', { name: 'Most used' })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Name' }).checked).toBe(true);
});

it('says that there are no skills yet, and loads again after an error', async () => {
  let isUp = false;
  renderWithServer(<LibraryPage />, {
    [list]: () => (isUp ? pageOf([]) : refusal(503, 'not-ready')),
  });
  const again = await screen.findByRole('button', { name: 'Try again' });
  isUp = true;
  await userEvent.click(again);
  expect(await screen.findByText('No skills yet')).toBeTruthy();
});

it('opens a conversation with the skill, or with an example as well', async () => {
  const onUse = vi.fn();
  const detail = {
    ...skill,
    metadata: {},
    apps: ['chat'],
    files: [],
    dependsOn: [],
    examples: ['Bill Ann'],
    owner: 'Accounting',
  };
  renderWithServer(
    <LibrarySkillPage name="invoices" appNames={new Map([['chat', 'Office']])} onUse={onUse} />,
    {
      'GET /api/library/invoices': detail,
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Use in a new conversation' }));
  await userEvent.click(screen.getByRole('button', { name: 'Bill Ann' }));
  await waitFor(() => expect(onUse.mock.calls).toEqual([['invoices'], ['invoices', 'Bill Ann']]));
  expect(screen.getByText('Office')).toBeTruthy();
  expect(screen.getByText('Owner').nextSibling?.textContent).toBe('Accounting');
});

it('says that only models use a skill which cannot be picked', async () => {
  const detail = {
    ...skill,
    userInvocable: false,
    metadata: {},
    apps: ['chat'],
    files: [],
    dependsOn: [],
    examples: [],
  };
  renderWithServer(
    <LibrarySkillPage name="invoices" appNames={new Map()} onUse={() => undefined} />,
    {
      'GET /api/library/invoices': detail,
    },
  );
  expect(await screen.findByText(/Models use this skill on their own/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Use in a new conversation' })).toBeNull();
});

it('offers skills on request below those that one may use, and sends a request with a message', async () => {
  const letters = { name: 'letters', displayName: 'Letters', description: 'Writes letters.' };
  let isRequested = false;
  const writes = renderWithServer(<LibraryPage />, {
    [list]: pageOf([skill]),
    'GET /api/requestable-skills': () => ({
      items: [{ ...letters, owner: 'Ann', isRequested }],
      total: 1,
    }),
    'POST /api/library/letters/request': () => {
      isRequested = true;
      return new Response(null, { status: 204 });
    },
  });
  const offered = await screen.findByRole('list', { name: 'Available on request' });
  expect(within(offered).getByText('Owner: Ann')).toBeTruthy();
  await userEvent.click(within(offered).getByRole('button', { name: 'Request access to Letters' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Request access to Letters' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Message (optional)' }), 'For work.');
  await userEvent.click(dialog.getByRole('button', { name: 'Send request' }));
  expect(await screen.findByText('Access requested')).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Letters'));
  expect(writes).toMatchObject([{ body: { message: 'For work.' } }]);
});

it('has no section of skills on request if there are none', async () => {
  renderWithServer(<LibraryPage />, {
    [list]: pageOf([skill]),
    'GET /api/requestable-skills': { items: [], total: 0 },
  });
  await screen.findByRole('link', { name: 'Invoices' });
  expect(screen.queryByText('Available on request')).toBeNull();
});
