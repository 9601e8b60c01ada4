import type { CheckResult } from '@knowhow/shared/skills/publication-checks';
import type { SkillDraft } from '@knowhow/shared/skills/skill-drafts';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../../testing/render-with-server.tsx';
import { RightsContext } from '../../../ui/rights.ts';
import { DraftBar } from './draft-bar.tsx';

const passed: CheckResult = {
  id: 'links',
  level: 'advisory',
  passed: true,
  findings: [],
  more: 0,
};
const failed: CheckResult = {
  id: 'scripts',
  level: 'required',
  passed: false,
  findings: [{ code: 'code-new', message: 'It is new.', path: 'scripts/fill.py' }],
  more: 0,
};

function show(
  checks: CheckResult[] | undefined,
  more: Partial<SkillDraft> = {},
  rights: readonly string[] = ['*'],
) {
  const draft: SkillDraft = {
    skill: 'pdf',
    etag: 'e1',
    isOutdated: false,
    authors: ['Ann'],
    updatedBy: 'Ann',
    updated: '2026-11-01T10:00:00.000Z',
    files: [],
    policy: { mode: 'review', fourEyes: false, categories: [] },
    ...(checks ? { checks } : {}),
    ...more,
  };
  renderWithServer(
    <RightsContext value={rights}>
      <DraftBar skill={{ name: 'pdf', checksum: 'c1' }} draft={draft} />
    </RightsContext>,
    {},
  );
  return userEvent.setup();
}

it('says how many checks of a draft fail, and lists their findings', async () => {
  const user = show([passed, failed]);
  await user.click(await screen.findByRole('button', { name: '1 check fails' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Checks' }));
  expect(dialog.getByText('scripts/fill.py')).toBeTruthy();
  expect(dialog.getByText('1 check passed')).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Submit for review…' }));
  const submit = within(await screen.findByRole('dialog', { name: 'Submit for review' }));
  expect(submit.getByText(/publish this draft only with a reason/)).toBeTruthy();
});

it('says that all checks of a draft passed', async () => {
  const user = show([passed]);
  expect(await screen.findByRole('button', { name: '1 check passed' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Submit for review…' }));
  const submit = within(await screen.findByRole('dialog', { name: 'Submit for review' }));
  expect(submit.queryByText(/only with a reason/)).toBeNull();
});

it('says who returned a draft, and why', async () => {
  const at = new Date(Date.now() - 86_400_000).toISOString();
  show(undefined, { returned: { id: 'r1', by: 'Rita', at, comment: 'Say why.' } });
  expect(await screen.findByText('Rita returned it yesterday.', { exact: false })).toBeTruthy();
  expect(screen.getByText('Say why.')).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Open the review' });
  expect(link.getAttribute('href')).toBe('/admin/reviews/r1');
});

it('tells authors of a category that their changes need a review, whatever the policy is', async () => {
  const policy = { mode: 'direct', fourEyes: false, categories: [] } as const;
  show([passed], { policy: { ...policy, categories: [] } }, ['skill-author:hr']);
  expect(await screen.findByText('Your changes need a review.')).toBeTruthy();
});

const direct = { mode: 'direct', fourEyes: false, categories: [] } as const;
const reviewed = { mode: 'review', fourEyes: false, categories: ['HR'] } as const;
const ofOthers = /Reviewers decide about the draft/;
const ofOwn = /On the next page, you can approve the draft as it is now/;

it.each([
  ['a manager where none is required', ['skills'], direct, /No one else has to review/, ofOwn],
  ['a publisher of the category', ['skill-author:hr', 'skill-publish:hr'], direct, /No one/, ofOwn],
  ['an author of the category', ['skill-author:hr'], direct, /^Your changes need a re/, ofOthers],
  ['a publisher', ['skills', 'publish'], reviewed, /You may approve your own\. .* HR/, ofOwn],
  ['a manager who may not publish', ['skills'], reviewed, /^Changes need a review\. T/, ofOthers],
  [
    'a publisher where a second person is required',
    ['skills', 'publish'],
    { ...reviewed, fourEyes: true },
    /review by a second person/,
    ofOthers,
  ],
])('says who reviews a draft of %s', async (_, rights, policy, text, submitted) => {
  const user = show(
    [passed],
    { policy: { ...policy, categories: [...policy.categories] }, category: 'HR' },
    rights,
  );
  expect(await screen.findByText(text)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Submit for review…' }));
  expect(await screen.findByText(submitted)).toBeTruthy();
});
