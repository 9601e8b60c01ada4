import type { BinnedSkill } from '@knowhow/shared/skills/skill-bin';
import { Notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { BinPage } from './bin-page.tsx';

const skill = (name: string, more: Partial<BinnedSkill> = {}): BinnedSkill => ({
  name,
  displayName: `The ${name}`,
  number: 4,
  deletedAt: '2026-03-01T10:00:00.000Z',
  deletedBy: 'Ann',
  removedAt: '2026-03-31T10:00:00.000Z',
  versions: 3,
  files: 2,
  bytes: 2048,
  owner: 'Sales',
  apps: ['Desk', 'Chat'],
  groups: [],
  hasSettings: true,
  ...more,
});
const list = 'GET /api/admin/skills/-/bin';
const restore = 'POST /api/admin/skills/-/bin/restore';
const remove = 'POST /api/admin/skills/-/bin/delete';
const empty = 'POST /api/admin/skills/-/bin/empty';
const pageOf = (...items: BinnedSkill[]) => ({
  items,
  total: items.length,
  all: items.length,
  days: 30,
});

function show(answers: Record<string, unknown>) {
  const writes = renderWithServer(
    <>
      <BinPage />
      <Notifications />
    </>,
    answers,
  );
  return { writes, user: userEvent.setup() };
}

it('says what a restore brings back, and when a skill is deleted permanently', async () => {
  show({ [list]: pageOf(skill('brew')) });
  expect(await screen.findByRole('heading', { name: 'The brew' })).toBeTruthy();
  expect(
    screen.getByText(
      'Restoring brings back: 3 versions, the owner Sales, its place in Desk and Chat, and its settings.',
    ),
  ).toBeTruthy();
  expect(screen.getByText(/^Will be deleted permanently on Mar 31, 2026/)).toBeTruthy();
  expect(
    screen.getByText('Deleted skills are kept in the bin for 30 days, with their versions.'),
  ).toBeTruthy();
});

it('restores the selected skills, and says which were not', async () => {
  const { user, writes } = show({
    [list]: pageOf(skill('brew'), skill('tea')),
    [restore]: { done: ['brew'], failed: [{ name: 'tea', message: 'There is a skill again.' }] },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all shown' }));
  await user.click(screen.getByRole('button', { name: 'Restore selected' }));
  expect(await screen.findByText('1 skill restored.')).toBeTruthy();
  expect(await screen.findByText('There is a skill again.')).toBeTruthy();
  expect(writes[0]?.body).toEqual({ names: ['brew', 'tea'] });
  expect(screen.getByRole('checkbox', { name: 'Select The brew' })).toHaveProperty(
    'checked',
    false,
  );
  expect(screen.getByRole('checkbox', { name: 'Select The tea' })).toHaveProperty('checked', true);
});

it('deletes permanently once the name is typed', async () => {
  const { user, writes } = show({
    [list]: pageOf(skill('brew')),
    [remove]: { done: ['brew'], failed: [] },
  });
  await user.click(await screen.findByRole('button', { name: 'Delete The brew permanently' }));
  const dialog = await screen.findByRole('dialog', { name: 'Permanently delete The brew?' });
  expect(dialog.textContent).toContain('This deletes 3 versions with all files');
  expect(dialog.textContent).toContain('stay readable');
  await user.type(screen.getByRole('textbox', { name: /brew/ }), 'brew');
  await user.click(screen.getByRole('button', { name: 'Delete permanently' }));
  await waitFor(() => expect(writes[0]?.body).toEqual({ skills: [{ name: 'brew', number: 4 }] }));
});

it('empties the bin of what the reader has seen', async () => {
  const { user, writes } = show({
    [list]: pageOf(skill('brew'), skill('tea')),
    [empty]: { done: ['brew', 'tea'], failed: [] },
  });
  await user.click(await screen.findByRole('button', { name: 'Empty bin' }));
  await screen.findByRole('dialog', { name: 'Empty the bin?' });
  await user.type(screen.getByRole('textbox', { name: /2 skills/ }), '2 skills');
  const [, confirm] = screen.getAllByRole('button', { name: 'Empty bin', hidden: true });
  await user.click(confirm ?? document.body);
  await waitFor(() => expect(writes[0]?.body).toEqual({ until: '2026-03-01T10:00:00.000Z' }));
});

it('says that the bin is empty', async () => {
  show({ [list]: pageOf() });
  expect(await screen.findByRole('heading', { name: 'The bin is empty' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Empty bin' })).toBeNull();
});

it('offers to load a bin again that could not be loaded', async () => {
  show({ [list]: () => refusal(500, 'internal') });
  expect(await screen.findByRole('button', { name: /again/i })).toBeTruthy();
});

it('asks for a reason if required checks stop a restore, and restores with it', async () => {
  const failed = [
    { name: 'brew', message: 'Required checks fail: secrets.', checks: ['secrets'] },
    { name: 'tea', message: 'There is a skill again.' },
  ];
  const { user, writes } = show({
    [list]: pageOf(skill('brew'), skill('tea')),
    [restore]: ({ body }: { body: { override?: object } }) =>
      body.override ? { done: ['brew'], failed: [] } : { done: [], failed },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all shown' }));
  await user.click(screen.getByRole('button', { name: 'Restore selected' }));
  const anyway = await screen.findByRole('button', { name: 'Restore 1 skill anyway' });
  expect(anyway).toHaveProperty('disabled', true);
  await user.type(screen.getByRole('textbox', { name: /^Reason/ }), 'An example.');
  await user.click(anyway);
  expect(await screen.findByText('1 skill restored.')).toBeTruthy();
  expect(writes.at(-1)?.body).toEqual({
    names: ['brew'],
    override: { reason: 'An example.' },
  });
});
