import type { Trace, TraceRound } from '@knowhow/shared/chat/traces';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { adminSkill } from '../../testing/admin-skill.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { TracePanel } from './trace-panel.tsx';

const messageId = '00000000-0000-4000-8000-000000000001';
const path = `/api/messages/${messageId}/trace`;
const leftOut = Array.from({ length: 60 }, (_, at) => `other-${at}`);

const round: TraceRound = {
  purpose: 'answer',
  model: 'gpt',
  startedAt: '2026-03-15T10:00:00.000Z',
  ms: 1500,
  firstTokenMs: 300,
  system: [
    { kind: 'app', text: 'You are helpful.', tokens: 4 },
    { kind: 'catalogue', text: 'Catalogue\n'.repeat(30), tokens: 60 },
  ],
  catalogue: {
    mode: 'ranked',
    budget: 600,
    offered: ['meeting-notes', 'release-notes'],
    shortened: ['release-notes'],
    named: [],
    leftOut,
    userOnly: ['by-hand'],
    totals: { offered: 2, shortened: 1, named: 0, leftOut: 2060, userOnly: 1 },
  },
  activeSkills: ['meeting-notes'],
  versions: { 'meeting-notes': 4 },
  tools: [{ name: 'activate_skill', description: 'Loads a skill.', parameters: {} }],
  earlier: 2,
  added: [{ role: 'user', content: 'Sort my notes' }],
  notices: ['summarised'],
  calls: [
    {
      name: 'activate_skill',
      input: { skill_name: 'meeting-notes' },
      startedAt: '2026-03-15T10:00:01.000Z',
      ms: 4,
      bytes: 2048,
      error: false,
      summary: 'meeting-notes',
    },
  ],
  usage: { inputTokens: 1200, cachedTokens: 800, outputTokens: 50, cost: 0.0123, currency: 'USD' },
  stop: 'tool-calls',
};

const trace: Trace = {
  messageId,
  conversationId: '00000000-0000-4000-8000-000000000002',
  app: 'chat',
  model: 'gpt',
  startedAt: '2026-03-15T10:00:00.000Z',
  ms: 4200,
  status: 'failed',
  error: { code: 'model-rate-limited' },
  groups: ['staff'],
  skillsOff: ['zeppelins'],
  rounds: [
    {
      ...round,
      purpose: 'router',
      catalogue: { ...round.catalogue, mode: 'router' },
      text: '{"selected_skill_names": []}',
      calls: [],
      added: [{ role: 'user', content: 'Which skill?' }],
    },
    round,
    {
      ...round,
      added: [
        { role: 'assistant', content: '', toolCalls: [{ name: 'activate_skill', input: {} }] },
        { role: 'tool', name: 'activate_skill', content: `Begin\n${'text '.repeat(200)}end` },
        { role: 'tool', name: 'read_skill_resource', content: '', withheld: true },
      ],
      calls: [],
      notices: [],
      error: { code: 'model-rate-limited' },
    },
  ],
  usage: { inputTokens: 3600, cachedTokens: 2400, outputTokens: 150 },
};

const me = {
  ...{ id: 'ann', name: 'Ann', groups: [], isAdmin: false },
  anonymous: false,
  mayChat: true,
};
const none = { items: [], total: 0, limit: 8, offset: 0 };
const panel = (onClose: () => void) => (
  <TracePanel messageId={messageId} modelName={(id) => id.toUpperCase()} onClose={onClose} />
);

function show(answers: Record<string, unknown> = {}, onClose = vi.fn()) {
  renderWithServer(panel(onClose), {
    [`GET ${path}`]: trace,
    'GET /api/auth/me': me,
    'GET /api/skills': none,
    ...answers,
  });
  return userEvent.setup();
}

describe('what the model saw', () => {
  it('summarises the answer', async () => {
    show();
    const facts = await screen.findByLabelText('Summary');
    expect(facts.textContent).toContain('Failed: model-rate-limited');
    expect(facts.textContent).toContain('GPT');
    expect(facts.textContent).toContain('3,600 read (2,400 from the cache), 150 written');
    expect(facts.textContent).not.toContain('Cost');
    expect(screen.getByRole('link', { name: 'Save as JSON' }).getAttribute('href')).toBe(path);
  });

  it('lists the requests: purpose, added messages, and results of calls', async () => {
    const user = show();
    const rounds = await screen.findByRole('region', { name: 'Model requests' });
    const [router, first, last] = within(rounds)
      .getAllByRole('listitem')
      .filter(({ dataset }) => dataset.purpose);
    expect(router?.textContent).toContain('Choosing skills');
    expect(router?.textContent).toContain('{"selected_skill_names": []}');
    expect(first?.textContent).toContain('first token after 300 ms');
    expect(first?.textContent).toContain('$0.0123');
    expect(first?.textContent).toContain('after 2 earlier messages');
    expect(first?.textContent).toContain('Sort my notes');
    expect(first?.textContent).toContain('a summary replaces the older messages');
    expect(first?.textContent).toContain('activate_skill {"skill_name":"meeting-notes"}');
    expect(first?.textContent).toMatch(/returned 2 kB in 4 ms · meeting-notes/);
    expect(first?.textContent).toContain('meeting-notes · version 4');
    expect(last?.textContent).toContain('same as in the previous request');
    expect(last?.textContent).toContain('Failed: model-rate-limited');
    expect(last?.textContent).toContain('refers to a skill that you can no longer see');
    expect(last?.textContent).not.toContain('text end');
    await user.click(within(last as HTMLElement).getByRole('button', { name: /^Begin/ }));
    expect(last?.textContent).toContain('text end');
  });

  it('shows the parts of the system prompt and searchable lists of skills', async () => {
    const user = show();
    const [system] = (
      await screen.findAllByRole('button', { name: 'System prompt, about 64 tokens' })
    ).slice(1);
    await user.click(system as HTMLElement);
    expect(screen.getByText('App prompt')).toBeTruthy();
    expect(screen.getByText('You are helpful.')).toBeTruthy();
    const [catalogue] = screen
      .getAllByRole('button', { name: 'Skills listed: 2 of 2063' })
      .slice(1);
    await user.click(catalogue as HTMLElement);
    expect(screen.getByText(/that fit the budget of 600 tokens/)).toBeTruthy();
    expect(
      screen.getByRole('region', { name: 'With a truncated description' }).textContent,
    ).toContain('release-notes');
    expect(
      screen.getByRole('region', { name: 'Switched off in this conversation' }).textContent,
    ).toContain('zeppelins');
    const list = screen.getByRole('region', { name: 'Left out' });
    expect(list.textContent).toContain('2,060');
    expect(within(list).getAllByRole('listitem')).toHaveLength(21);
    await user.click(within(list).getByRole('button', { name: '40 more' }));
    expect(within(list).getAllByRole('listitem')).toHaveLength(61);
    await user.type(within(list).getByRole('searchbox'), 'other-5');
    await vi.waitFor(() => expect(within(list).queryByText('other-4')).toBeNull());
    expect(within(list).getByText('other-55')).toBeTruthy();
  });

  it('explains why a skill was not used, by keyboard, and what to do', async () => {
    const user = show({
      [`GET ${path}/skills/other-7`]: {
        outcome: 'left-out',
        rule: 'budget',
        rank: 12,
        searches: [{ query: 'letters', found: 5 }],
      },
    });
    const field = await screen.findByRole('combobox', { name: 'Skill name' });
    await user.type(field, 'other-');
    expect(field.getAttribute('aria-expanded')).toBe('true');
    await user.type(field, '7');
    expect(screen.getByRole('option', { name: 'other-7', selected: true })).toBeTruthy();
    await user.keyboard('{Enter}');
    const answer = await screen.findByText(/other-7 was visible, but not listed in the catalogue/);
    const said = answer.parentElement?.textContent ?? '';
    expect(said).toContain('It did not fit the budget');
    expect(said).toContain('Its rank was 12.');
    expect(said).toContain('“letters”: not among the 5 results');
    expect(said).toContain('Next steps: State in its description');
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it.each([
    [
      'not-visible',
      'skill-not-granted',
      /None of the user’s groups may use the skill.*Grant it to one/,
    ],
    ['not-visible', undefined, /was not visible.*Ask an administrator/],
    ['left-out', 'search-only', /searches did not find it.*both are searched/],
    ['shortened', undefined, /truncated description.*Start its description/],
    ['not-chosen', undefined, /offered pdf but did not choose it/],
    [
      'refused',
      'too-many-active-skills',
      /requested and denied.*Deactivate a skill above the message/,
    ],
    ['refused', 'a-rule-of-tomorrow', /requested and denied.*Next steps/],
    ['activated', 'already-active', /already active.*Version 4 was used\./],
  ])('explains %s by %s', async (outcome, rule, words) => {
    const used = outcome === 'activated' ? { version: 4 } : {};
    const user = show({
      [`GET ${path}/skills/pdf`]: { outcome, ...(rule ? { rule } : {}), ...used },
    });
    await user.type(await screen.findByRole('combobox', { name: 'Skill name' }), 'pdf');
    await user.click(screen.getByRole('button', { name: 'Why' }));
    const status = await screen.findByText(/pdf/, { selector: 'p' });
    expect(status.parentElement?.textContent).toMatch(words);
  });

  it('finds invisible skills for an administrator', async () => {
    const onClose = vi.fn();
    const answers = {
      'GET /api/auth/me': { ...me, isAdmin: true, adminRights: ['*'] },
      'GET /api/admin/skills': {
        ...none,
        items: [adminSkill({ name: 'hidden-one' })],
        foldersLeftOut: 0,
        facets: {
          statuses: { on: 1, off: 0, blocked: 0, broken: 0, shadowed: 0 },
          problems: { errors: 0, warnings: 0 },
          sources: [],
          categories: [],
          tags: [],
          tools: [],
        },
      },
    };
    const user = show(answers, onClose);
    await user.type(await screen.findByRole('combobox', { name: 'Skill name' }), 'hid');
    expect(await screen.findByRole('option', { name: 'hidden-one' })).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('suggests a larger catalogue budget only if the skill did not fit', async () => {
    const user = show({
      [`GET ${path}/skills/read-in-full`]: { outcome: 'not-chosen', rank: 2 },
      [`GET ${path}/skills/no-room`]: { outcome: 'left-out', rule: 'budget' },
    });
    const field = await screen.findByRole('combobox', { name: 'Skill name' });
    await user.type(field, 'no-room{Enter}');
    expect((await screen.findByText(/Next steps/)).parentElement?.textContent).toContain('budget');
    await user.clear(field);
    await user.type(field, 'read-in-full{Enter}');
    const advice = await screen.findByText(/read-in-full but did not/);
    expect(advice.parentElement?.textContent).not.toContain('budget');
  });

  it.each([
    ['trace-off', 'Traces are off'],
    ['trace-expired', 'Trace expired'],
    ['trace-none', 'Not recorded'],
  ])('shows %s if there is no trace', async (code, title) => {
    show({ [`GET ${path}`]: refusal(404, 'not-found', code) });
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('reports a load error, and retries', async () => {
    let tries = 0;
    const user = show({
      [`GET ${path}`]: () => {
        tries += 1;
        return tries === 1 ? refusal(503, 'not-writable') : trace;
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText('Summary')).toBeTruthy();
  });

  it('is translated into German', async () => {
    const onClose = vi.fn();
    renderApp(panel(onClose), { [path]: trace, '/api/auth/me': me }, 'de');
    expect(
      await screen.findByText('3.600 gelesen (2.400 aus dem Cache), 150 geschrieben'),
    ).toBeTruthy();
    expect(screen.getByRole('dialog', { name: 'Was das Modell gesehen hat' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Schließen' }));
    expect(onClose).toHaveBeenCalled();
  });
});
