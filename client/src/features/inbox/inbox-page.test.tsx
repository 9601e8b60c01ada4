import type { CommentNotice, InboxItem } from '@knowhow/shared/skills/inbox';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { RightsContext } from '../../ui/rights.ts';
import { InboxLink } from './inbox-link.tsx';
import { InboxPage } from './inbox-page.tsx';

const item: InboxItem = {
  id: '5f7d6f0e-6f5b-4f0e-8f5e-2f4d7a3f7c11',
  kind: 'suggestion',
  state: 'open',
  skill: { title: 'Invoices', name: 'invoices' },
  from: 'Ben',
  createdAt: new Date(Date.now() - 86_400_000).toISOString(),
  comment: 'Name the <b>date</b>.',
  evidence: { question: 'Bill Ann', answer: '**Done.** <script>alert(1)</script>' },
  mayGrant: false,
};
const list = 'GET /api/inbox';
const comments = 'GET /api/inbox/comments';
const pageOf = (...items: InboxItem[]) => ({ items, total: items.length });

function show(answers: Record<string, unknown>, rights: readonly string[] = []) {
  const writes = renderWithServer(
    <RightsContext value={rights}>
      <InboxPage />
    </RightsContext>,
    { [comments]: { items: [], returned: [] }, ...answers },
  );
  return { writes, user: userEvent.setup() };
}

it('shows who suggests what, and the question and answer as plain text on request', async () => {
  const { user } = show({ [list]: pageOf(item) });
  expect(await screen.findByRole('heading', { name: 'Suggestion for Invoices' })).toBeTruthy();
  expect(screen.getByText('Ben')).toBeTruthy();
  expect(screen.getByText('yesterday')).toBeTruthy();
  expect(screen.getByText('Name the <b>date</b>.')).toBeTruthy();
  expect(screen.queryByText('Bill Ann')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Question and answer' }));
  expect(screen.getByText('Bill Ann')).toBeTruthy();
  expect(screen.getByText('**Done.** <script>alert(1)</script>')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Grant access…' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Open skill' }).getAttribute('href')).toBe(
    '/skills/invoices',
  );
});

it('closes an item with a reply, and moves the focus to the list', async () => {
  let isOpen = true;
  const close = `POST /api/inbox/${item.id}/close`;
  const { user, writes } = show({
    [list]: () => (isOpen ? pageOf(item) : pageOf()),
    [close]: () => {
      isOpen = false;
      return { ...item, state: 'done' };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Done…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Close this item' }));
  await user.type(dialog.getByRole('textbox', { name: 'Reply (optional)' }), 'It does now.');
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(await screen.findByText('Nothing to do')).toBeTruthy();
  expect(writes).toMatchObject([{ line: close, body: { reply: 'It does now.' } }]);
});

it('says why an item could not be closed, and keeps the reply', async () => {
  const { user } = show({
    [list]: pageOf(item),
    [`POST /api/inbox/${item.id}/close`]: () => refusal(409, 'conflict'),
  });
  await user.click(await screen.findByRole('button', { name: 'Done…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox'), 'Thanks.');
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(await dialog.findByRole('alert')).toBeTruthy();
  expect(dialog.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Thanks.');
});

it('grants access to a group, and says before how many people get the skill', async () => {
  const grant = `POST /api/inbox/${item.id}/grant`;
  const { evidence: _, ...rest } = item;
  const { user, writes } = show(
    {
      [list]: pageOf({ ...rest, kind: 'access', comment: '', mayGrant: true }),
      [`GET /api/inbox/${item.id}/groups`]: {
        items: [
          { id: 'users', name: 'Users', people: 1200, hasGuests: true },
          { id: 'finance', name: 'Finance', people: 1, hasGuests: false },
        ],
      },
      [grant]: { ...item, state: 'granted' },
    },
    ['skills'],
  );
  expect(await screen.findByRole('heading', { name: 'Access to Invoices requested' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open skill' }).getAttribute('href')).toBe(
    '/admin/skills/invoices',
  );
  await user.click(screen.getByRole('button', { name: 'Grant access…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Grant access to Invoices' }));
  const submit = dialog.getByRole('button', { name: 'Grant access' });
  expect(submit).toHaveProperty('disabled', true);
  expect(
    await dialog.findByText(/1,200 people get the skill\. Visitors without an account/),
  ).toBeTruthy();
  await user.click(dialog.getByRole('radio', { name: 'Finance' }));
  await user.click(submit);
  await waitFor(() =>
    expect(writes).toMatchObject([{ line: grant, body: { group: 'finance', reply: '' } }]),
  );
});

it('says that a sender without a group cannot be granted access', async () => {
  const { user } = show({
    [list]: pageOf({ ...item, kind: 'access', mayGrant: true }),
    [`GET /api/inbox/${item.id}/groups`]: { items: [] },
  });
  await user.click(await screen.findByRole('button', { name: 'Grant access…' }));
  expect(await screen.findByText(/belongs to no group/)).toBeTruthy();
});

it('shows what the reader has sent, with the reply and whether access was granted', async () => {
  const closed = { at: item.createdAt, by: 'Ann', reply: 'Welcome.' };
  const { user } = show({
    [list]: pageOf({ ...item, kind: 'access', state: 'granted', closed }),
  });
  await user.click(await screen.findByRole('radio', { name: 'Sent' }));
  expect(await screen.findByText('Granted')).toBeTruthy();
  expect(screen.getByText('Welcome.')).toBeTruthy();
  expect(screen.getByText('Ann')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Done…' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Open skill' })).toBeTruthy();
});

it('names a deleted account, and links no skill that the reader cannot open', async () => {
  const { from: _, ...rest } = item;
  show({ [list]: pageOf({ ...rest, skill: { title: 'Invoices' } }) });
  expect(await screen.findByText('Deleted account')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Open skill' })).toBeNull();
});

it('says that there is nothing to do, and loads again after an error', async () => {
  let isUp = false;
  const { user } = show({ [list]: () => (isUp ? pageOf() : refusal(503, 'not-ready')) });
  const again = await screen.findByRole('button', { name: 'Try again' });
  isUp = true;
  await user.click(again);
  expect(await screen.findByText('Nothing to do')).toBeTruthy();
});

it('the sidebar links the inbox with the number of open items', async () => {
  renderWithServer(<InboxLink />, { 'GET /api/inbox/summary': { isShown: true, open: 3 } });
  const link = await screen.findByRole('link', { name: 'Inbox 3 open items' });
  expect(link.getAttribute('href')).toBe('/inbox');
});

it('the sidebar has no link for people who never had an item', async () => {
  let asked = 0;
  renderWithServer(<InboxLink />, {
    'GET /api/inbox/summary': () => {
      asked += 1;
      return { isShown: false, open: 0 };
    },
  });
  await waitFor(() => expect(asked).toBe(1));
  expect(screen.queryByRole('link')).toBeNull();
});

it('shows unread comments on reviews, and marks them as read', async () => {
  const notice: CommentNotice = {
    ...{ id: '5f7d6f0e-6f5b-4f0e-8f5e-2f4d7a3f7c12', skill: 'invoices', from: 'Rita' },
    ...{ createdAt: item.createdAt, text: 'Which clients?', path: '/admin/reviews/r1' },
  };
  const {
    text: _,
    path: __,
    ...hidden
  } = { ...notice, id: '5f7d6f0e-6f5b-4f0e-8f5e-2f4d7a3f7c13' };
  let unread = [notice, hidden];
  const { user, writes } = show({
    [list]: pageOf(),
    [comments]: () => ({ items: unread, returned: [] }),
    'POST /api/inbox/comments/read': () => {
      unread = [hidden];
      return new Response(null, { status: 204 });
    },
  });
  const rows = within(await screen.findByRole('list', { name: 'Comments on reviews' }));
  expect(rows.getByText('Which clients?')).toBeTruthy();
  expect(rows.getByText('You can no longer see this review.')).toBeTruthy();
  expect(rows.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/admin/reviews/r1',
  ]);
  expect(screen.queryByText('Nothing to do')).toBeNull();
  const [first] = rows.getAllByRole('button', { name: 'Mark as read' });
  await user.click(first as HTMLElement);
  await waitFor(() => expect(screen.queryByText('Which clients?')).toBeNull());
  expect(writes.find(({ line }) => line.startsWith('POST'))?.body).toEqual({ ids: [notice.id] });
});

it('shows changes that were returned, with the reason and a link to the draft or own skill', async () => {
  const returned = [
    {
      ...{ id: 'a', skill: 'minutes', from: 'Rita', createdAt: item.createdAt },
      ...{ text: 'Say why.', path: '/admin/skills/minutes' },
    },
    {
      ...{ id: 'b', skill: 'bills', from: 'Rita', createdAt: item.createdAt },
      ...{ text: 'Too short.', path: '/my/skills/bills' },
    },
  ];
  show({ [list]: pageOf(), [comments]: { items: [], returned } });
  const heading = { name: 'Your change of minutes was returned' };
  expect(await screen.findByRole('heading', heading)).toBeTruthy();
  expect(screen.getByText('Say why.')).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Open draft' });
  expect(link.getAttribute('href')).toBe('/admin/skills/minutes');
  const own = screen.getByRole('link', { name: 'Open skill' });
  expect(own.getAttribute('href')).toBe('/my/skills/bills');
  expect(screen.queryByText('Nothing to do')).toBeNull();
});
