import type { CheckResult } from '@knowhow/shared/skills/publication-checks';
import type { SkillDraft } from '@knowhow/shared/skills/skill-drafts';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../../testing/render-with-server.tsx';
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

function show(checks: CheckResult[] | undefined) {
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
  };
  renderWithServer(<DraftBar skill={{ name: 'pdf', checksum: 'c1' }} draft={draft} />, {});
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
