import type { AuditEntry } from '@knowhow/shared/config/admin';
import { Notifications } from '@mantine/notifications';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { AuditList } from './audit-list.tsx';

// A page with many fields is slow on a busy machine.
configure({ asyncUtilTimeout: 8000 });

const entry: AuditEntry = {
  id: '1',
  at: '2026-03-01T10:20:30.000Z',
  userId: 'u1',
  userName: 'Ann',
  action: 'unassigned',
  kind: 'skill',
  target: '*',
  after: { skills: ['pdf', 'notes'], apps: 'legal' },
};
const ann = {
  id: 'u1',
  username: 'ann',
  name: 'Ann',
  groups: [],
  disabled: false,
  isAdmin: true,
  createdAt: entry.at,
};

function show(): string[] {
  const asked: string[] = [];
  renderApp(<AuditList />, {
    '/api/admin/users': { items: [ann], total: 1 },
    '/api/admin/audit': (query: URLSearchParams) => {
      asked.push(query.toString());
      return { items: query.has('query') ? [] : [entry], total: 1 };
    },
  });
  return asked;
}

it('a bulk action is one entry, which expands', async () => {
  show();
  const row = within(await screen.findByRole('listitem'));
  expect(row.getByText('2 skills')).toBeTruthy();
  expect(row.getByText('unassigned')).toBeTruthy();
  await userEvent.click(row.getByText(/fields? changed/));
  expect(row.getByText(/"pdf",\s+"notes"/)).toBeTruthy();
  expect(row.getByText('legal')).toBeTruthy();
});

it('an entry shows its time to the second', async () => {
  show();
  const time = (await screen.findByRole('listitem')).querySelector('time');
  expect(time?.title).toMatch(/2026.*:20:30/);
});

it('entries are filtered by words, user and day', async () => {
  const asked = show();
  const user = userEvent.setup();
  await screen.findByRole('listitem');
  await screen.findByRole('option', { name: 'Ann' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'User' }), 'Ann');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-01' } });
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-03-02' } });
  const from = encodeURIComponent(new Date('2026-03-01T00:00').toISOString());
  const to = encodeURIComponent(new Date('2026-03-03T00:00').toISOString());
  await waitFor(() => expect(asked.at(-1)).toBe(`limit=50&user=u1&from=${from}&to=${to}`));
  await user.type(screen.getByRole('searchbox', { name: 'Search audit log' }), 'pdf');
  expect(await screen.findByText('Nothing found')).toBeTruthy();
  expect(asked.at(-1)).toContain('query=pdf');
});

it('a bulk action is undone after the page says what that restores and reaches', async () => {
  const off: AuditEntry = {
    ...entry,
    action: 'switched-off',
    before: { enabled: true },
    after: { enabled: false, skills: ['pdf', 'notes', 'mail'] },
  };
  const left = [{ name: 'mail', reason: 'changed' }];
  const page = (
    <>
      <AuditList />
      <Notifications />
    </>
  );
  const writes = renderWithServer(page, {
    'GET /api/admin/users': { items: [ann], total: 1 },
    'GET /api/admin/audit': { items: [off, { ...off, id: '2', action: 'deleted' }], total: 2 },
    'GET /api/admin/skills/bulk/undo/1': { done: ['pdf', 'notes'], left, apps: 2, people: 41 },
    'POST /api/admin/skills/bulk/undo/1': { done: ['pdf', 'notes'], left },
  });
  const user = userEvent.setup();
  // One button: the deletion has none.
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Switch 3 skills on again?' }));
  expect(await dialog.findByText('2 skills get their earlier values back.')).toBeTruthy();
  expect(dialog.getByText('This reaches 41 people in 2 apps.')).toBeTruthy();
  expect(
    dialog.getByText(/1 skill stays as it is, because it was changed since: mail/),
  ).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Undo change' }));
  expect(await screen.findByText('2 skills restored. 1 skill was left as it is.')).toBeTruthy();
  expect(writes.map(({ line }) => line)).toEqual(['POST /api/admin/skills/bulk/undo/1']);
});
