import type { AttentionItem } from '@knowhow/shared/skills/skill-attention';
import { Notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { RightsContext } from '../../ui/rights.ts';
import { AttentionPage } from './attention-page.tsx';

const item: AttentionItem = {
  name: 'invoices',
  displayName: 'Invoices',
  owner: 'Ann',
  reviewBy: '2026-01-31',
  findings: [
    { reason: 'review', reviewBy: '2026-01-31' },
    { reason: 'triggers', model: 'Sol', share: 60, before: 90, at: '2026-02-01T10:00:00.000Z' },
    { reason: 'thumbs', recent: { up: 3, down: 3 }, earlier: { up: 9, down: 1 } },
    { reason: 'deprecated', apps: 2 },
  ],
  isInLibrary: false,
};
const list = 'GET /api/skill-attention';
const save = 'PUT /api/skill-attention/invoices/review-date';
const counts = { review: 1, triggers: 1, thumbs: 1, deprecated: 1, unused: 0, 'no-owner': 7 };
const pageOf = (...items: AttentionItem[]) => ({ items, total: items.length, counts });

function show(answers: Record<string, unknown>, rights: readonly string[] = []) {
  const writes = renderWithServer(
    <RightsContext value={rights}>
      <AttentionPage back={{ to: '/inbox', label: 'Inbox' }} />
      <Notifications />
    </RightsContext>,
    answers,
  );
  return { writes, user: userEvent.setup() };
}

it('says why a skill needs attention, and links only to a page that the reader has', async () => {
  show({ [list]: pageOf(item) });
  expect(await screen.findByText('The review was due by Jan 31, 2026.')).toBeTruthy();
  expect(
    screen.getByText('50% thumbs up in the last 30 days, 90% in the 90 days before.'),
  ).toBeTruthy();
  expect(
    screen.getByText('Deprecated without a successor, but 2 apps still offer it.'),
  ).toBeTruthy();
  expect(
    screen.getByText(
      /^Sol: 60% right answers in the trigger tests of .*2026.*, 90% in the run before\.$/,
    ),
  ).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Open the tests' })).toBeNull();
  expect(screen.getByText('Owner: Ann')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Invoices' })).toBeNull();
  expect(screen.getByRole('option', { name: 'No owner (7)' })).toBeTruthy();
  expect(screen.queryByRole('option', { name: /Not used/ })).toBeNull();
});

it('leads administrators to the page of the skill', async () => {
  show({ [list]: pageOf(item) }, ['skills']);
  const link = await screen.findByRole('link', { name: 'Invoices' });
  expect(link.getAttribute('href')).toBe('/admin/skills/invoices');
  const tests = screen.getByRole('link', { name: 'Open the tests' });
  expect(tests.getAttribute('href')).toBe('/admin/skills/invoices/triggers');
});

it('moves a review on, focuses the list, and undoes it', async () => {
  let isDue = true;
  const { user, writes } = show({
    [list]: () => (isDue ? pageOf(item) : pageOf()),
    [save]: () => {
      isDue = false;
      return {};
    },
  });
  await user.click(
    await screen.findByRole('button', { name: 'Reviewed, next review in 12 months' }),
  );
  expect(await screen.findByRole('heading', { name: 'Nothing needs attention' })).toBeTruthy();
  expect(document.activeElement?.textContent).toContain('Nothing needs attention');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(writes).toHaveLength(2));
  expect(writes.at(-1)?.body).toEqual({ reviewBy: '2026-01-31' });
});

it('says why a date could not be saved', async () => {
  const { user } = show({ [list]: pageOf(item), [save]: () => refusal(404, 'not-found') });
  await user.click(await screen.findByRole('button', { name: 'Remove date' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.getByText('The review was due by Jan 31, 2026.')).toBeTruthy();
});

it('offers to load a list again that could not be loaded', async () => {
  show({ [list]: () => refusal(500, 'internal') });
  expect(await screen.findByRole('button', { name: /again/i })).toBeTruthy();
});
