import type { CheckResult } from '@knowhow/shared/skills/publication-checks';
import type { SkillReviewDetail } from '@knowhow/shared/skills/skill-reviews';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { RightsContext } from '../../ui/rights.ts';
import { ReviewList } from './review-list.tsx';
import { ReviewPage } from './review-page.tsx';

const id = '0199d5f4-3e0a-7000-8000-000000000001';
const list = 'GET /api/skill-reviews';
const detail: SkillReviewDetail = {
  review: {
    id,
    skill: 'pdf',
    state: 'open',
    message: 'Reads forms.',
    author: 'Ann',
    created: '2026-11-01T10:00:00.000Z',
    base: 3,
    digest: 'd'.repeat(64),
    files: 2,
    bytes: 100,
    comments: 0,
  },
  published: 4,
  from: 4,
  changes: [{ path: 'scripts/fill.py', change: 'added', bytesAfter: 9 }],
  code: ['scripts/fill.py'],
  isOutdated: true,
  isDraftChanged: true,
  may: { approve: false, return: true, withdraw: false },
  needsOther: false,
  affected: { following: [], pinned: [{ app: 'chat', version: 2 }], groups: [] },
};

it('says that no review is open, and how one begins', async () => {
  renderWithServer(<ReviewList />, { [list]: { items: [], total: 0 } });
  expect(await screen.findByText('No open reviews')).toBeTruthy();
  expect(screen.getByText(/as a draft and submit it/)).toBeTruthy();
});

it('tells a reviewer who writes no skills where reviews come from', async () => {
  renderWithServer(
    <RightsContext value={['skill-publish:hr']}>
      <ReviewList />
    </RightsContext>,
    { [list]: { items: [], total: 0 } },
  );
  expect(await screen.findByText(/^Drafts of skills that you may publish/)).toBeTruthy();
});

it('offers to load the list again after an error', async () => {
  let isUp = false;
  const answer = () => (isUp ? { items: [detail.review], total: 1 } : refusal(503, 'not-ready'));
  renderWithServer(<ReviewList />, { [list]: answer });
  const again = await screen.findByRole('button', { name: 'Try again' });
  isUp = true;
  await userEvent.click(again);
  const link = await screen.findByRole('link', { name: 'pdf' });
  expect(link.getAttribute('href')).toBe(`/admin/reviews/${id}`);
});

it('warns of code, of an outdated base and of a changed draft, and names who stays behind', async () => {
  renderWithServer(<ReviewPage id={id} />, { [`GET /api/skill-reviews/${id}`]: detail });
  expect(await screen.findByText(/script or tool is new or changed: scripts/)).toBeTruthy();
  expect(screen.getByText(/Another version has been published/)).toBeTruthy();
  expect(screen.getByText(/changed after it was submitted/)).toBeTruthy();
  expect(screen.getByText('chat stays on version 2.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Approve and publish' })).toBeNull();
});

it('shows comments, adds one, and deletes it again', async () => {
  const path = `/api/skill-reviews/${id}`;
  const asked = { id: 'c-1', author: 'Ann', text: 'Why?', created: '2026-11-01T11:00:00.000Z' };
  const reply = { ...asked, id: 'c-2', author: 'Rita', text: 'Forms.', isOwn: true };
  const before = { items: [{ ...asked, isOwn: false }] };
  const writes = renderWithServer(<ReviewPage id={id} />, {
    [`GET ${path}`]: detail,
    [`GET ${path}/comments`]: before,
    [`POST ${path}/comments`]: { items: [...before.items, reply] },
    [`DELETE ${path}/comments/c-2`]: before,
  });
  const user = userEvent.setup();
  const thread = within(await screen.findByRole('list', { name: 'Comments' }));
  expect(thread.getByText('Why?')).toBeTruthy();
  expect(thread.queryByRole('button')).toBeNull();
  const add = screen.getByRole('button', { name: 'Add comment' });
  expect(add).toHaveProperty('disabled', true);
  await user.type(screen.getByRole('textbox', { name: 'New comment' }), ' Forms. ');
  await user.click(add);
  expect(await thread.findByText('Forms.')).toBeTruthy();
  const field = screen.getByRole('textbox', { name: 'New comment' });
  expect(field).toHaveProperty('value', '');
  expect(document.activeElement).toBe(field);
  await user.click(thread.getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete this comment?' }));
  expect(writes).toHaveLength(1);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(thread.queryByText('Forms.')).toBeNull());
  expect(writes).toMatchObject([{ body: { text: 'Forms.' } }, { body: undefined }]);
});

it('returns a draft only with a comment', async () => {
  const path = `/api/skill-reviews/${id}`;
  const decided = { by: 'Rita', at: '2026-11-02T10:00:00.000Z', comment: 'Say why.' };
  const returned = { ...detail.review, state: 'returned', decided };
  const writes = renderWithServer(<ReviewPage id={id} />, {
    [`GET ${path}`]: detail,
    [`POST ${path}/return`]: returned,
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Return with comment' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Return “pdf”?' }));
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Return with comment' });
  expect(confirm.disabled).toBe(true);
  await user.type(dialog.getByRole('textbox', { name: /Comment/ }), 'Say why.');
  await user.click(confirm);
  expect(writes).toMatchObject([{ line: `POST ${path}/return`, body: { comment: 'Say why.' } }]);
});

const checks: CheckResult[] = [
  { id: 'blocked', level: 'required', passed: true, findings: [], more: 0 },
  {
    id: 'scripts',
    level: 'advisory',
    passed: false,
    findings: [{ code: 'code-new', message: 'It is new.', path: 'scripts/fill.py' }],
    more: 2,
  },
  {
    id: 'secrets',
    level: 'required',
    passed: false,
    findings: [
      {
        code: 'looks-like-secret',
        text: 'secret-aws',
        message: 'A key.',
        values: { line: 3, start: 'AKIA…' },
        path: 'notes.md',
        line: 3,
      },
    ],
    more: 0,
  },
];

const approvable = { ...detail, may: { ...detail.may, approve: true }, checks };

function showApprovable(rights: string[], answer: unknown = detail.review) {
  const path = `/api/skill-reviews/${id}`;
  const writes = renderWithServer(
    <RightsContext value={rights}>
      <ReviewPage id={id} />
    </RightsContext>,
    { [`GET ${path}`]: approvable, [`POST ${path}/approve`]: answer },
  );
  return { writes, user: userEvent.setup() };
}

it('shows failed checks with their findings, required ones first, and folds the others', async () => {
  const { user } = showApprovable(['publish']);
  const failed = within(await screen.findByRole('list', { name: '2 checks fail' }));
  const items = failed.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(items[0]).toMatch(/^SecretsRequirednotes\.md Line 3 contains .*AWS access key: AKIA…$/);
  expect(items[2]).toMatch(
    /^Scripts and toolsAdvisoryscripts\/fill\.py .* is new\.2 more findings$/,
  );
  const summary = screen.getByText('1 check passed');
  const passed = screen.getByText('These files are not those of a blocked skill.');
  expect(passed.closest('details')?.open).toBe(false);
  await user.click(summary);
  expect(passed.closest('details')?.open).toBe(true);
});

it('approves in spite of a required check only with a reason', async () => {
  const { writes, user } = showApprovable(['publish']);
  await user.click(await screen.findByRole('button', { name: 'Approve and publish' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Publish “pdf”?' }));
  expect(dialog.getByText(/A required check fails: Secrets\./)).toBeTruthy();
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Approve and publish' });
  expect(confirm.disabled).toBe(true);
  await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'It is an example.');
  await user.click(confirm);
  expect(writes).toMatchObject([{ body: { override: { reason: 'It is an example.' } } }]);
});

it('says who may override a required check to people without the right', async () => {
  const { user } = showApprovable(['skills']);
  await user.click(await screen.findByRole('button', { name: 'Approve and publish' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Publish “pdf”?' }));
  expect(dialog.getByText(/Only people with the right “Publish skills”/)).toBeTruthy();
  expect(dialog.queryByRole('textbox', { name: /Reason/ })).toBeNull();
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Approve and publish' });
  expect(confirm.disabled).toBe(true);
});

it('shows the checks that were overridden, and why', async () => {
  const decided = { by: 'Rita', at: '2026-11-02T10:00:00.000Z', version: 5 };
  const approved: SkillReviewDetail = {
    ...detail,
    review: { ...detail.review, state: 'approved', decided },
    may: { approve: false, return: false, withdraw: false },
    override: { reason: 'It is an example.', checks: ['secrets', 'links'] },
  };
  renderWithServer(<ReviewPage id={id} />, { [`GET /api/skill-reviews/${id}`]: approved });
  const text = 'Published despite failed checks (Secrets and Links): It is an example.';
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Checks' })).toBeNull();
});

it('warns before and in the approval that a blocked skill is not offered', async () => {
  const may = { approve: true, return: true, withdraw: false };
  const open = { ...detail, isOutdated: false, isDraftChanged: false, may };
  renderWithServer(<ReviewPage id={id} />, {
    [`GET /api/skill-reviews/${id}`]: { ...open, blockReason: 'It leaks.' },
  });
  const warning = /^This skill is blocked: It leaks\. After the approval, it is not offered/;
  expect(await screen.findByText(warning)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Approve and publish' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(warning)).toBeTruthy();
});
