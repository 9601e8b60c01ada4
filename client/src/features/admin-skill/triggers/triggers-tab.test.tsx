import type {
  TriggerEvent,
  TriggerPrompts,
  TriggerResult,
  TriggerRun,
  TriggerRunHead,
} from '@knowhow/shared/skills/trigger-tests';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { streamOfEvents } from '../../../testing/event-stream.ts';
import { refusal, renderWithServer } from '../../../testing/render-with-server.tsx';
import { TriggersTab } from './triggers-tab.tsx';

const stored: TriggerPrompts = {
  path: 'evals/trigger-evals.json',
  isSaved: true,
  prompts: [{ text: 'Read this PDF', expect: true }],
  found: [{ text: 'Bake a cake', expect: false }],
  faults: [{ path: 'evals/broken.json', message: 'The file cannot be read as JSON.' }],
  checksum: 'c1',
};
const list = (...items: unknown[]) => ({ items, total: items.length });
const model = (id: string, config: Record<string, unknown>) => ({
  ...{ id, path: `contents/models/${id}.json`, text: '', checksum: '' },
  config: { id, modelId: id, name: id, provider: 'openai', ...config },
});
const result = (fields: Partial<TriggerResult>): TriggerResult => ({
  ...{ prompt: 0, model: 'gpt', outcome: 'hit', activated: ['pdf'], searched: false },
  ...{ inputTokens: 1200, outputTokens: 20, isEstimated: false, ms: 850 },
  ...fields,
});
const head = (id: string, fields: Partial<TriggerRunHead> = {}): TriggerRunHead => ({
  ...{ id, at: '2026-03-15T10:00:00Z', by: 'Admin', ended: 'whole', total: 1 },
  summaries: [
    {
      ...{ model: 'gpt', onlyRanking: false, wanted: 1, hits: 1, hitRate: 1, unwanted: 0 },
      ...{ wrongHits: 0, failed: 0, inputTokens: 1200, outputTokens: 20, ms: 850 },
    },
  ],
  ...fields,
});
const whole = (run: TriggerRunHead, ...results: TriggerResult[]): TriggerRun => ({
  ...run,
  prompts: stored.prompts,
  results,
});
const streamOf = (...events: TriggerEvent[]) => streamOfEvents(events);

const base = '/api/admin/skills/pdf';

function show(answers: Record<string, unknown> = {}, skill = adminSkill()) {
  const writes = renderWithServer(<TriggersTab skill={skill} />, {
    [`GET ${base}/trigger-prompts`]: stored,
    [`GET ${base}/trigger-tests`]: list(),
    'GET /api/admin/model-states': list(
      { id: 'demo', found: false },
      { id: 'gpt', found: false },
      { id: 'claude', found: false, needs: 'ANTHROPIC_API_KEY' },
    ),
    'GET /api/admin/models': list(
      model('demo', { provider: 'demo', name: 'Demo' }),
      model('gpt', { name: 'GPT', default: true }),
      model('claude', { name: 'Claude' }),
    ),
    'GET /api/admin/apps': list({
      ...{ id: 'chat', path: 'contents/apps/chat.json', text: '', checksum: '' },
      config: { id: 'chat', name: 'Chat' },
    }),
    ...answers,
  });
  return { writes, user: userEvent.setup() };
}

describe('the prompts', () => {
  it('are edited, imported from evals, and saved against the reviewed version', async () => {
    const { user, writes } = show({
      [`PUT ${base}/trigger-prompts`]: { ...stored, checksum: 'c2' },
    });
    await user.click(await screen.findByRole('button', { name: 'Import one from evals' }));
    await user.click(screen.getByRole('button', { name: 'Add prompt' }));
    const added = screen.getByRole('textbox', { name: 'Prompt 3' });
    expect(document.activeElement).toBe(added);
    await user.type(added, 'Fill this form');
    await user.click(screen.getByRole('button', { name: 'Remove prompt 1' }));
    await user.selectOptions(
      screen.getByRole('combobox', { name: 'Expected result of prompt 2' }),
      'Should not activate',
    );
    await user.click(screen.getByRole('button', { name: 'Save to evals/trigger-evals.json' }));
    await waitFor(() => expect(writes).toHaveLength(1));
    expect(writes[0]).toEqual({
      line: `PUT ${base}/trigger-prompts`,
      ifMatch: '"c1"',
      body: {
        prompts: [
          { text: 'Bake a cake', expect: false },
          { text: 'Fill this form', expect: false },
        ],
      },
    });
    await screen.findByDisplayValue('Read this PDF');
    expect(screen.queryByRole('button', { name: /^Save to/ })).toBeNull();
  });

  it('are prefilled from evals; file errors are shown', async () => {
    show({ [`GET ${base}/trigger-prompts`]: { ...stored, isSaved: false, prompts: [] } });
    expect(await screen.findByDisplayValue('Bake a cake')).toBeTruthy();
    expect(screen.getByText(/not saved as trigger tests yet/)).toBeTruthy();
    expect(screen.getByText(/cannot be read as JSON/)).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Save to/ })).toBeTruthy();
  });

  it('are reloaded after a conflict without losing input', async () => {
    const { user } = show({
      [`PUT ${base}/trigger-prompts`]: () => refusal(412, 'changed-meanwhile'),
    });
    await user.type(await screen.findByRole('textbox', { name: 'Prompt 1' }), ', please');
    await user.click(screen.getByRole('button', { name: /^Save to/ }));
    await user.click(await screen.findByRole('button', { name: 'Load the current version' }));
    expect(screen.getByDisplayValue('Read this PDF, please')).toBeTruthy();
  });

  it('can be run, but not saved, for a read-only skill', async () => {
    const { user } = show({}, adminSkill({ writable: false }));
    await user.type(await screen.findByRole('textbox', { name: 'Prompt 1' }), ', please');
    expect(screen.queryByRole('button', { name: /^Save to/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'Run' })).toHaveProperty('disabled', false);
  });
});

describe('a run', () => {
  it('shows results as they arrive, and then the stored run', async () => {
    let runs = list();
    const run = head('r1');
    const { user, writes } = show({
      [`GET ${base}/trigger-tests`]: () => runs,
      [`GET ${base}/trigger-tests/r1`]: whole(run, result({})),
      [`POST ${base}/trigger-tests`]: () => {
        runs = list(run);
        return streamOf(
          { type: 'start', total: 1 },
          { type: 'result', result: result({}) },
          { type: 'end', run },
        );
      },
    });
    expect(await screen.findByText('No runs yet')).toBeTruthy();
    await user.click(await screen.findByRole('checkbox', { name: 'Demo' }));
    expect(screen.queryByRole('checkbox', { name: 'Claude' })).toBeNull();
    await user.selectOptions(
      screen.getByRole('combobox', { name: 'Skills to choose from' }),
      'Chat',
    );
    await user.click(screen.getByRole('switch', { name: /^Test another description/ }));
    const field = screen.getByRole('textbox', { name: 'Test description' });
    await user.clear(field);
    await user.type(field, 'Reads any PDF.');
    expect(screen.getByText('2 requests')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Run' }));
    const summary = await screen.findByRole('table', { name: 'Summary' });
    expect(within(summary).getByText('100%')).toBeTruthy();
    expect(writes[0]?.body).toEqual({
      prompts: stored.prompts,
      models: ['gpt', 'demo'],
      app: 'chat',
      description: 'Reads any PDF.',
    });
  });

  it('can be stopped', async () => {
    let connection: ReadableStreamDefaultController | undefined;
    const first = `id: 1\nevent: result\ndata: ${JSON.stringify({ result: result({}) })}\n\n`;
    const start = (controller: ReadableStreamDefaultController) => {
      connection = controller;
      controller.enqueue(new TextEncoder().encode(first));
    };
    const { user } = show({
      [`POST ${base}/trigger-tests`]: () => new Response(new ReadableStream({ start })),
    });
    await user.click(await screen.findByRole('button', { name: 'Run' }));
    expect(await screen.findByText('1 of 1 completed')).toBeTruthy();
    expect(screen.getByRole('table', { name: 'Results' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    // Like a browser when the request is aborted.
    connection?.error(new DOMException('Aborted.', 'AbortError'));
    expect(await screen.findByRole('button', { name: 'Run' })).toBeTruthy();
  });

  it('shows why it was refused', async () => {
    const { user } = show({ [`POST ${base}/trigger-tests`]: () => refusal(409, 'conflict') });
    await user.click(await screen.findByRole('button', { name: 'Run' }));
    expect(await screen.findByRole('alert')).toBeTruthy();
  });
});

describe('results', () => {
  it('are compared with the previous run, and name the skill that was chosen instead', async () => {
    const [now, before] = [
      head('r2', {
        summaries: head('r2').summaries.map((each) => ({
          ...each,
          ...{ onlyRanking: true, hits: 0, hitRate: 0, isEstimated: true },
        })),
        description: 'Reads any PDF.',
      }),
      head('r1'),
    ];
    const { user } = show({
      [`GET ${base}/trigger-tests`]: list(now, before),
      [`GET ${base}/trigger-tests/r2`]: whole(
        now,
        result({ outcome: 'miss', activated: ['ocr'], rank: 2 }),
      ),
      [`GET ${base}/trigger-tests/r1`]: whole(before, result({})),
    });
    const table = await screen.findByRole('table', { name: 'Results' });
    expect(await within(table).findByText('previously: Activated')).toBeTruthy();
    expect(within(table).getByText('Not activated')).toBeTruthy();
    expect(within(table).getByText('ocr')).toBeTruthy();
    expect(within(table).getByText('rank 2 by words')).toBeTruthy();
    const summary = screen.getByRole('table', { name: 'Summary' });
    expect(within(summary).getByText('−100')).toBeTruthy();
    expect(within(summary).getByText('about 1,200 in, 20 out')).toBeTruthy();
    expect(screen.getByText(/only the ranking by words was tested\. Run/)).toBeTruthy();
    expect(screen.getByText('Reads any PDF.')).toBeTruthy();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Run' }), 'r1');
    expect(await screen.findByText(/No earlier run to compare with/)).toBeTruthy();
  });

  it('say which version was tested, and that the schedule started a run', async () => {
    const newest = head('r2', { by: 'Scheduled test', isScheduled: true, version: 4 });
    show({
      [`GET ${base}/trigger-tests`]: list(newest, head('r1')),
      [`GET ${base}/trigger-tests/r2`]: whole(newest, result({})),
      [`GET ${base}/trigger-tests/r1`]: whole(head('r1'), result({})),
    });
    expect(await screen.findByText(/^Scheduled run on .+\. Version 4\./)).toBeTruthy();
    const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(options).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/GPT · Scheduled test · version 4$/),
        expect.stringMatching(/GPT · Admin$/),
      ]),
    );
  });

  it('report that nothing has changed, and show errors', async () => {
    const [now, before] = [head('r2'), head('r1')];
    const message = 'The model cannot be reached. Ask the administrator.';
    const failed = result({
      outcome: 'failed',
      error: { code: 'model-unreachable', message, reason: 'ECONNREFUSED' },
    });
    show({
      [`GET ${base}/trigger-tests`]: list(now, before),
      [`GET ${base}/trigger-tests/r2`]: whole(now, failed),
      [`GET ${base}/trigger-tests/r1`]: whole(before, failed),
    });
    expect(await screen.findByText(/All results are the same/)).toBeTruthy();
    expect(screen.getByText('The model cannot be reached. (ECONNREFUSED)')).toBeTruthy();
    expect(screen.queryByText(/^previously:/)).toBeNull();
  });
});
