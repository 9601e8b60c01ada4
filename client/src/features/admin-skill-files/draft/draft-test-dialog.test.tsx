import type {
  DraftTestEvent,
  DraftTestPlan,
  TestedResult,
} from '@knowhow/shared/skills/draft-tests';
import type { SkillDraft } from '@knowhow/shared/skills/skill-drafts';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { streamOfEvents } from '../../../testing/event-stream.ts';
import { renderWithServer } from '../../../testing/render-with-server.tsx';
import { DraftTestDialog } from './draft-test-dialog.tsx';

const draft: SkillDraft = {
  skill: 'pdf',
  etag: 'e1',
  base: 3,
  published: 3,
  isOutdated: false,
  authors: ['Ann'],
  updatedBy: 'Ann',
  updated: '2026-11-01T10:00:00.000Z',
  files: [],
  policy: { mode: 'review', fourEyes: false, categories: [] },
};
const result = (values: Partial<TestedResult>): TestedResult => ({
  ...{ prompt: 0, model: 'gpt', side: 'draft', outcome: 'hit', activated: ['pdf'], hidden: 0 },
  ...{ searched: false, inputTokens: 10, outputTokens: 1, isEstimated: false, ms: 5 },
  ...values,
});
const usual = { tokens: 500, cost: { amount: 0.01, currency: 'USD' } };
const plan: DraftTestPlan = {
  prompts: [{ text: 'Fill this form.', expect: true }],
  faults: [],
  published: 3,
  models: [
    { id: 'gpt', name: 'GPT', isWanted: true, isKnown: true, usual },
    { id: 'demo', name: 'Demo', isWanted: false, isKnown: false },
  ],
};
const last: DraftTestPlan['last'] = {
  ...{
    id: 'r1',
    at: '2026-11-01T10:00:00.000Z',
    by: 'Ann',
    ended: 'whole',
    published: 3,
    total: 1,
  },
  models: [{ model: 'gpt', onlyRanking: false, draft: 0, published: 1, compared: 1 }],
  isCurrent: false,
  prompts: plan.prompts,
  results: [
    result({ side: 'published' }),
    result({ outcome: 'miss', activated: ['forms'], hidden: 1 }),
  ],
};

function show(answer: DraftTestPlan, events: DraftTestEvent[] = []) {
  const sent = renderWithServer(<DraftTestDialog draft={draft} opened onClose={vi.fn()} />, {
    'GET /api/skill-drafts/pdf/trigger-tests': answer,
    'POST /api/skill-drafts/pdf/trigger-tests': () => streamOfEvents(events),
  });
  return { sent, user: userEvent.setup() };
}

it('says how many requests a test needs, and what they cost', async () => {
  const { sent, user } = show(plan, [{ type: 'start', total: 1, known: [] }]);
  expect(await screen.findByText(/^One request · about 500 tokens, \$0\.010?$/)).toBeTruthy();
  await user.click(screen.getByLabelText('Use the last results of the published version'));
  expect(await screen.findByText(/^2 requests · about 1,000 tokens/)).toBeTruthy();
  await user.click(screen.getByLabelText('Demo'));
  expect(await screen.findByText('4 requests')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Run' }));
  const posted = () => sent.filter(({ line }) => line.startsWith('POST'));
  expect(posted().map(({ body }) => body)).toEqual([{ models: ['gpt', 'demo'], reuse: false }]);
});

it('shows the last results side by side, and that they are outdated', async () => {
  show({ ...plan, last });
  const summary = within(await screen.findByRole('table', { name: 'Summary' }));
  expect(summary.getByText('0 of 1 right')).toBeTruthy();
  expect(summary.getByText('1 of 1 right')).toBeTruthy();
  expect(screen.getByText(/has changed since/)).toBeTruthy();
  const results = within(screen.getByRole('table', { name: 'Results' }));
  expect(results.getByRole('columnheader', { name: 'GPT · Version 3' })).toBeTruthy();
  expect(results.getByRole('columnheader', { name: 'GPT · Draft' })).toBeTruthy();
  expect(results.getByText('Activated')).toBeTruthy();
  expect(results.getByText('Not activated')).toBeTruthy();
  expect(results.getByText(/forms, 1 other skill/)).toBeTruthy();
});

it('says where to write prompts if the draft has none', async () => {
  show({ ...plan, prompts: [] });
  expect(await screen.findByText(/evals\/trigger-evals\.json/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Run' })).toBeNull();
});
