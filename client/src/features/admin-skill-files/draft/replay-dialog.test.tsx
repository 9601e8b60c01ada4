import type { ReplayEvent, SkillDraft } from '@knowhow/shared/skills/skill-drafts';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { streamOfEvents } from '../../../testing/event-stream.ts';
import { renderWithServer } from '../../../testing/render-with-server.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

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
const model = (id: string, provider: string) => ({
  ...{ id, provider, name: id.toUpperCase(), description: '' },
  ...{ supportsTools: true, supportsVision: false, default: false },
});
const suggestion = {
  ...{ id: 's1', kind: 'suggestion', state: 'open', skill: { title: 'PDF', name: 'pdf' } },
  ...{ from: 'Bo', createdAt: '2026-11-01T10:00:00.000Z', comment: 'It left out the table.' },
  ...{ evidence: { question: 'Read this form.', answer: 'Done.' }, mayGrant: false },
};
const events = (...all: ReplayEvent[]) => streamOfEvents(all);

function show(response: () => Response) {
  const sent = renderWithServer(<ReplayDialog draft={draft} opened onClose={vi.fn()} />, {
    'GET /api/models': { items: [model('demo', 'demo'), model('gpt', 'openai')], total: 2 },
    'GET /api/inbox': { items: [suggestion], total: 1 },
    'POST /api/skill-drafts/pdf/replay': response,
  });
  return { sent, user: userEvent.setup() };
}

it('answers the question of a suggestion with both versions, side by side', async () => {
  const { sent, user } = show(() =>
    events(
      { type: 'start', sides: ['published', 'draft'] },
      { type: 'text', side: 'draft', text: 'hmm **New**' },
      { type: 'text', side: 'published', text: 'Old' },
      { type: 'end', side: 'draft', inputTokens: 1200, outputTokens: 5, ms: 2340 },
      { type: 'error', side: 'published', code: 'model-interrupted', message: 'It broke.' },
    ),
  );
  await user.selectOptions(
    await screen.findByLabelText('Questions from suggestions'),
    'Read this form. – It left out the table.',
  );
  expect(screen.getByLabelText<HTMLSelectElement>('Model').value).toBe('gpt');
  await user.click(screen.getByRole('button', { name: 'Answer' }));
  const side = async (name: string) => within(await screen.findByRole('region', { name }));
  expect(await (await side('Draft')).findByText('New')).toBeTruthy();
  expect((await side('Draft')).getByRole('status').textContent).toBe(
    '1,200 input tokens · 5 output tokens · 2.3 sec',
  );
  const published = await side('Published version 3');
  expect(published.getByText('Old')).toBeTruthy();
  expect(published.getByRole('alert')).toBeTruthy();
  expect(sent.map(({ body }) => body)).toEqual([{ message: 'Read this form.', model: 'gpt' }]);
});

it('says why nothing can be answered, and waits for a message', async () => {
  const { user } = show(
    () =>
      new Response(
        JSON.stringify({
          ...{ type: 'x', title: 'Not found', status: 404, code: 'not-found' },
          detail: 'Skill "pdf" has no draft.',
        }),
        { status: 404, headers: { 'Content-Type': 'application/problem+json' } },
      ),
  );
  const begin = await screen.findByRole<HTMLButtonElement>('button', { name: 'Answer' });
  expect(begin.disabled).toBe(true);
  await user.type(screen.getByLabelText('Message'), 'Hello');
  await user.click(begin);
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.queryByRole('region')).toBeNull();
});
