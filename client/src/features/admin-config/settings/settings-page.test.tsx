import { everyRight } from '@knowhow/shared/access/admin-rights';
import type { TriggerScheduleState } from '@knowhow/shared/skills/trigger-tests';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import admin from '../../../../../locales/en/admin.json' with { type: 'json' };
import { renderWithServer } from '../../../testing/render-with-server.tsx';
import { shownSettings } from '../../../testing/shown-settings.ts';
import { RightsContext } from '../../../ui/rights.ts';
import { valueAt } from '../with-value.ts';
import { SettingsPage } from './settings-page.tsx';

// Required by autosizing fields, and missing in jsdom.
Object.assign(document, { fonts: new EventTarget() });

const nothing = { items: [], total: 0 };

function show(
  file: 'platform' | 'skills',
  config: object,
  {
    environment = [],
    rights = ['settings'],
    schedule = {},
  }: { environment?: object[]; rights?: string[]; schedule?: TriggerScheduleState } = {},
) {
  const settings = {
    ...{ id: file, path: `contents/config/${file}.json`, config, text: '', checksum: 'first' },
    environment,
  };
  return renderWithServer(
    <RightsContext value={rights}>
      <SettingsPage file={file} />
    </RightsContext>,
    {
      [`GET /api/admin/settings/${file}`]: settings,
      [`PUT /api/admin/settings/${file}`]: settings,
      'GET /api/admin/choices/groups': nothing,
      'GET /api/admin/choices/models': nothing,
      'GET /api/admin/trigger-schedule': schedule,
    },
  );
}

it.each(['platform', 'skills'] as const)(
  'shows every setting of %s with its label',
  async (file) => {
    show(file, {}, { rights: [everyRight] });
    await screen.findAllByRole('switch');
    const text = document.body.textContent ?? '';
    const labelOf = (path: string) => String(valueAt(admin.settings.fields, path.split('.')));
    expect(shownSettings[file].filter((path) => !text.includes(labelOf(path)))).toEqual([]);
  },
);

it('sets a quota, preserves unknown fields, and shows defaults', async () => {
  const user = userEvent.setup();
  const traces = { path: 'traces.days', variable: 'TRACE_DAYS', value: '14', wins: false };
  const sent = show('platform', { ofAnother: 1 }, { environment: [traces] });
  const [daily] = await screen.findAllByRole('textbox', { name: 'Messages per day' });
  const days = screen.getByRole<HTMLInputElement>('textbox', { name: 'What the model saw (days)' });
  expect(days.placeholder).toBe('14');
  expect(screen.getByText('If empty, the environment variable TRACE_DAYS applies.')).toBeTruthy();
  expect(screen.getByText('oidcAuth, proxyAuth')).toBeTruthy();
  // Outbound settings are for full administrators only.
  expect(screen.queryByRole('heading', { name: 'Embedding model' })).toBeNull();
  await user.type(daily as HTMLElement, '100');
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    ...{ ifMatch: expect.stringContaining('first') },
    body: { ofAnother: 1, quotas: { user: { turnsPerDay: 100 } } },
  });
});

it.each([
  [{}, true],
  [{ translateTools: false }, true],
  [{ translateTools: true }, false],
])('switches the translation of tools from %o to %s', async (config, value) => {
  const user = userEvent.setup();
  const sent = show('skills', { ...config, ofAnother: 1 });
  const name = /^Translate built-in tools/;
  await user.click(await screen.findByRole('switch', { name }));
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ body: { ofAnother: 1, translateTools: value } });
});

it('does not offer settings that the environment overrides', async () => {
  const runner = {
    path: 'allowScriptExecution',
    variable: 'SCRIPT_RUNNER',
    value: 'off',
    wins: true,
  };
  show('skills', {}, { environment: [runner] });
  const name = /^Allow skill scripts/;
  const scripts = await screen.findByRole<HTMLInputElement>('switch', { name });
  expect(scripts.disabled).toBe(true);
  expect(screen.getByText(/^SCRIPT_RUNNER is off in the environment/)).toBeTruthy();
});

it('shows the last round of scheduled trigger tests, and why it is incomplete', async () => {
  const problem = { model: 'gpt', message: 'It is away.', at: '2026-03-15T10:05:00Z' };
  const round = {
    ...{ kind: 'new-models' as const, beganAt: '2026-03-15T10:00:00Z', models: ['gpt', 'claude'] },
    ...{ tested: 12, remaining: 3, tokens: 123_456, isCapped: false, problem },
  };
  show('skills', {}, { schedule: { round, nextAt: '2026-03-22T10:00:00Z' } });
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^gpt did not answer \(.+\): It is away\. The round is tried again within an hour\.$/,
  );
  const facts = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(facts).toEqual(expect.arrayContaining(['gpt, claude', '12', '3', '123,456']));
  expect(screen.getByText('Extra round for new models')).toBeTruthy();
});

it('says that there was no round of scheduled trigger tests yet', async () => {
  show('skills', {});
  expect(await screen.findByText('No round yet.')).toBeTruthy();
});
