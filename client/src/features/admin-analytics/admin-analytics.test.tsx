import { maxNeverUsed, type SkillReport, type SkillUse } from '@knowhow/shared/config/analytics';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { AdminAnalytics } from './admin-analytics.tsx';

// A page with many parts is slow on a busy machine.
configure({ asyncUtilTimeout: 8000 });

const use = { conversations: 40, conversationsWithSkill: 30, answers: 90, answersWithSkill: 60 };
const tokens = { inputTokens: 900_000, cachedTokens: 500_000, outputTokens: 100_000 };
const skill = (name: string, changed: Partial<SkillUse> = {}): SkillUse => ({
  ...{ name, exists: true, conversations: 2, answers: 3, refused: 0, limited: 0, ...tokens },
  activations: { model: 2, slash: 1, api: 0, app: 0, router: 0 },
  ended: { user: 0, 'not-available': 0, blocked: 0, changed: 0, replaced: 0, app: 0, limit: 0 },
  ...{ costs: [], instructionTokens: 900, thumbs: { up: 0, down: 0 } },
  ...changed,
});
const report: SkillReport = {
  ...{ days: 400, since: '2026-02-01T09:00:00.000Z', from: '2026-02-09', to: '2026-05-03' },
  totals: {
    ...{
      ...use,
      ...tokens,
      conversationsOffered: 40,
      searched: 9,
      foundNothing: 4,
      refused: 5,
      limited: 2,
    },
    activations: { model: 20, slash: 5, api: 1, app: 1, router: 3 },
    costs: [{ currency: 'EUR', amount: 12.5 }],
  },
  weeks: [
    { week: '2026-04-20', ...use, ...tokens, conversations: 10, conversationsWithSkill: 5 },
    { week: '2026-04-27', ...use, ...tokens },
  ],
  apps: [{ id: 'chat', ...use, ...tokens }],
  groups: [{ id: 'staff', ...use, ...tokens }],
  models: [{ id: 'house', ...use, ...tokens }],
  skills: [
    skill('pdf', { answers: 50, thumbs: { up: 8, down: 2 } }),
    skill('meeting-notes', { answers: 12, refused: 7 }),
    skill('gone', { exists: false, answers: 1 }),
  ],
  thumbs: { withSkill: { up: 9, down: 1 }, withoutSkill: { up: 2, down: 2 } },
  neverUsed: { names: ['dusty', 'old'], total: 2 },
};
const reasons = Array.from({ length: 12 }, (_, at) => ({
  ...{ at: '2026-05-01T09:00:00.000Z', value: at === 0 ? 'down' : 'up' },
  ...{ reason: `Reason ${at + 1}`, app: 'chat', skills: ['pdf'] },
}));
const list = (...ids: string[]) => ({
  items: ids.map((id) => ({ id, path: '', text: '', checksum: 'c' })),
  total: ids.length,
});

const versions = {
  ...{ days: 400, from: '2026-01-01', to: '2026-03-25' },
  versions: [
    {
      ...{ version: 5, answers: 3, activations: 2, refused: 1, limited: 0 },
      ...{ costs: [{ currency: 'EUR', amount: 1.25 }], thumbs: { up: 2, down: 1 } },
    },
  ],
};

function show(given: unknown = report, language: 'en' | 'de' = 'en'): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  // Otherwise the charts have no size and log warnings.
  const room = new DOMRect(0, 0, 600, 260);
  const measured = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(room);
  onTestFinished(() => measured.mockRestore());
  const answers = {
    '/api/admin/analytics/skills': (query: URLSearchParams) => {
      asked.push(query);
      return given;
    },
    '/api/admin/analytics/skills/pdf/versions': (query: URLSearchParams) => {
      asked.push(query);
      return versions;
    },
    '/api/admin/analytics/reasons': { items: reasons, total: 300 },
    '/api/admin/apps': list('chat', 'legal'),
    '/api/admin/groups': list('staff'),
    '/api/admin/models': list('house'),
  };
  renderApp(<AdminAnalytics />, answers, language);
  return asked;
}

const section = async (name: string | RegExp) =>
  within(await screen.findByRole('region', { name }));
const namesIn = (table: HTMLElement) =>
  within(table)
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent);

describe('the numbers of skills', () => {
  it('show the share of conversations with a skill, failed activations, and cost', async () => {
    show();
    const figure = async (label: string) =>
      (await screen.findAllByText(label)).find(({ tagName }) => tagName === 'DT')?.parentElement;
    expect((await figure('Conversations with a skill'))?.textContent).toContain('75%');
    expect((await figure('Denied activations'))?.textContent).toContain('5 not available');
    const inVain = await figure('Searches without results');
    expect(inVain?.textContent).toContain('4of 9 answers with a skill search');
    expect((await figure('Tokens'))?.textContent).toContain('€12.50');
    const thumbs = await section('Answer ratings');
    expect(thumbs.getByText(/9 positive, 1 negative: 90% positive/)).toBeTruthy();
    expect(thumbs.getByText(/2 positive, 2 negative: 50% positive/)).toBeTruthy();
    expect(screen.getByText(/Counted since Feb 1, 2026/)).toBeTruthy();
  });

  it('show a cost below one cent as more than nothing', async () => {
    const costs = [
      { currency: 'EUR', amount: 0.0012 },
      { currency: 'USD', amount: 1234.567 },
    ];
    show({ ...report, totals: { ...report.totals, costs } });
    expect(await screen.findByText('€0.0012 + $1,234.57')).toBeTruthy();
  });

  it('include the comments on ratings', async () => {
    show();
    const written = await section('Comments on ratings');
    const [newest] = await written.findAllByRole('listitem');
    expect(newest?.textContent).toBe('Reason 1May 1, 2026 · chat · pdf');
    expect(within(newest as HTMLElement).getByRole('img', { name: 'Bad answer' })).toBeTruthy();
    expect(written.queryByText('Reason 12')).toBeNull();
    await userEvent.click(written.getByRole('button', { name: 'Show more' }));
    expect(written.getByText('Reason 12')).toBeTruthy();
    expect(written.getByText('Showing the newest 12 of 300.')).toBeTruthy();
  });

  it('have a table for each chart, for screen readers', async () => {
    show();
    const weeks = await section('Conversations by week');
    await userEvent.click(weeks.getByRole('button', { name: 'Show as table' }));
    const rows = within(weeks.getByRole('table')).getAllByRole('row').slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Apr 20, 2026'),
      expect.stringContaining('75%'),
    ]);
  });

  it('are searched and sorted by skill, and link to its page', async () => {
    show();
    const skills = await section('Skills');
    const table = skills.getByRole('table');
    expect(namesIn(table)).toEqual(['pdf', 'meeting-notes', 'gone (deleted)']);
    const pdf = within(table).getByRole('link', { name: 'pdf' });
    expect(pdf.getAttribute('href')).toBe('/admin/skills/pdf');
    await userEvent.click(within(table).getByRole('button', { name: 'Denied' }));
    expect(namesIn(table)[0]).toBe('meeting-notes');
    const head = within(table).getByRole('columnheader', { name: 'Denied' });
    expect(head.getAttribute('aria-sort')).toBe('descending');
    await userEvent.click(within(table).getByRole('button', { name: 'Skill' }));
    expect(namesIn(table)).toEqual(['gone (deleted)', 'meeting-notes', 'pdf']);
    await userEvent.click(within(table).getByRole('button', { name: 'Skill' }));
    expect(namesIn(table)[0]).toBe('pdf');
    await userEvent.type(skills.getByLabelText('Search by name'), 'Notes meet');
    await waitFor(() => expect(namesIn(table)).toEqual(['meeting-notes']));
    await userEvent.type(skills.getByLabelText('Search by name'), 'xyz');
    expect(await skills.findByText('No skill matches.')).toBeTruthy();
  });

  it('compare the versions of a skill with the same filters', async () => {
    const asked = show();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Compare versions of pdf' }));
    const dialog = within(await screen.findByRole('dialog'));
    const table = within(await dialog.findByRole('table', { name: 'Usage by version' }));
    expect(table.getByRole('rowheader').textContent).toBe('Version 5');
    expect(table.getByText('2 positive, 1 negative')).toBeTruthy();
    expect(table.getByText('€1.25')).toBeTruthy();
    expect(String(asked.at(-1))).toBe(String(asked[0]));
  });

  it('are paginated if there are many skills', async () => {
    const many = Array.from({ length: 60 }, (_, at) => skill(`s-${at + 100}`));
    show({ ...report, skills: many });
    const skills = await section('Skills');
    expect(namesIn(skills.getByRole('table'))).toHaveLength(15);
    await userEvent.click(skills.getByRole('button', { name: 'Next' }));
    expect(namesIn(skills.getByRole('table'))[0]).toBe('s-115');
    expect(skills.getByText('16–30 of 60')).toBeTruthy();
  });

  it('list unused skills, up to a limit', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `never-${at}`);
    show({ ...report, neverUsed: { names, total: maxNeverUsed + 1 } });
    const unused = await section(/^Never used/);
    expect(unused.getAllByRole('link')).toHaveLength(48);
    await userEvent.click(unused.getByRole('button', { name: 'Show more' }));
    expect(unused.getAllByRole('link')).toHaveLength(100);
    expect(unused.getByText('Showing the first 100.')).toBeTruthy();
  });

  it('are filtered by period, app and group, and downloaded with these filters', async () => {
    const asked = show();
    await screen.findByText('Conversations by week');
    await screen.findByRole('option', { name: 'legal' });
    await userEvent.selectOptions(screen.getByLabelText('App'), 'legal');
    await userEvent.selectOptions(screen.getByLabelText('Group'), 'staff');
    const { from } = Object.fromEntries(asked.at(-1) ?? []);
    await userEvent.selectOptions(screen.getByLabelText('Period'), 'Custom range');
    const day = (name: string) => screen.getByLabelText<HTMLInputElement>(name).value;
    const to = day('To');
    expect(day('From')).toBe(from);
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-01' } });
    await waitFor(() =>
      expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({
        ...{ from: '2026-03-01', to, app: 'legal', group: 'staff' },
      }),
    );
    const link = screen.getByRole('link', { name: 'Download CSV' });
    expect(link.getAttribute('href')).toBe(
      `/api/admin/analytics/skills.csv?from=2026-03-01&to=${to}&app=legal&group=staff`,
    );
  });
});

it.each([
  [{ ...report, days: 0 }, 'Analytics is switched off'],
  [{ ...report, since: undefined }, 'No data yet'],
  [{ ...report, totals: { ...report.totals, answers: 0 } }, 'No data in this period'],
])('explains why there are no figures', async (given, title) => {
  show(given);
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  expect(screen.queryByText('Conversations by week')).toBeNull();
});

it('is translated into German', async () => {
  show(report, 'de');
  expect(await screen.findByText(/9 positiv, 1 negativ: 90\s%/)).toBeTruthy();
});
