import type { AdminSkill, ListedSkill } from '@knowhow/shared/skills/admin-skill';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { SkillList } from './skill-list.tsx';

const plain: AdminSkill = {
  name: 'pdf',
  displayName: 'pdf',
  description: 'Reads PDF files.',
  source: 'local',
  location: 'local:pdf',
  writable: true,
  status: 'on',
  tags: [],
  requiresTools: [],
  diagnostics: [],
  apps: ['chat'],
  groups: [],
  priority: 0,
  global: false,
  files: 2,
  bytes: 2048,
  checksum: 'c1',
  updatedAt: '2026-03-15T10:00:00Z',
};
const notes = { ...plain, name: 'notes', displayName: 'notes', location: 'local:notes' };
const hidden: AdminSkill = { ...plain, location: 'extra:pdf', source: 'extra', status: 'shadowed' };
const facets = {
  statuses: { on: 2, off: 0, blocked: 0, broken: 0, shadowed: 1 },
  problems: { errors: 1, warnings: 0 },
  sources: ['local', 'extra'],
  categories: [],
  tags: [],
  tools: [],
};
const item = (id: string, name: string) => ({
  id,
  path: `contents/${id}.json`,
  config: { name },
  text: '{}',
  checksum: 'c',
});

/** Renders the list for a user with write access, and the server's responses. */
function show(items: ListedSkill[], writes: Record<string, unknown> = {}, isWide = false) {
  const page = (
    <main>
      <h1>Skills</h1>
      <SkillList>first steps</SkillList>
    </main>
  );
  return renderWithServer(isWide ? <OnDesktop>{page}</OnDesktop> : page, {
    'GET /api/admin/skills': { items, total: items.length, facets, foldersLeftOut: 2 },
    'GET /api/admin/apps': { items: [item('chat', 'Chat'), item('legal', 'Legal desk')], total: 2 },
    'GET /api/admin/groups': { items: [item('users', 'Users')], total: 1 },
    ...writes,
  });
}

/** Sets the viewport width by media query. */
function OnDesktop({ children }: { children: ReactNode }) {
  useState(() => {
    const listeners = { addEventListener: vi.fn(), removeEventListener: vi.fn() };
    vi.stubGlobal('matchMedia', () => ({ matches: false, ...listeners }));
  });
  return children;
}

const bulk = 'POST /api/admin/skills/bulk';
const done = (...names: string[]) => ({ done: names, failed: [], restorable: {} });

describe('SkillList', () => {
  it('leads to the draft and the open review of a published skill', async () => {
    show([{ ...plain, hasDraft: true, review: 'r1' }, notes]);
    const draft = await screen.findByRole('link', { name: 'Draft: pdf' });
    expect(draft.getAttribute('href')).toBe('/admin/skills/pdf/files');
    const review = screen.getByRole('link', { name: 'In review: pdf' });
    expect(review.getAttribute('href')).toBe('/admin/reviews/r1');
    expect(screen.queryByRole('link', { name: 'Draft: notes' })).toBeNull();
  });

  it('explains how to start if there are no skills', async () => {
    show([]);
    expect(await screen.findByText('No skills yet')).toBeDefined();
    expect(screen.getByText('first steps')).toBeDefined();
  });

  it('shows how many folders were not scanned', async () => {
    show([plain]);
    expect(await screen.findByText(/^2 folders were not scanned/)).toBeDefined();
  });

  it('shows cards with all details on a phone', async () => {
    const facts = { category: 'ops', tags: ['jira', 'notes'], source: 'extra' as const };
    const usage = { uses: 12, lastUsedAt: '2026-03-20T10:00:00Z' };
    show([{ ...plain, ...facts, usage }, notes]);
    const link = await screen.findByRole('link', { name: 'pdf' });
    const card = within(link.closest('li') as HTMLElement);
    for (const text of ['Reads PDF files.', 'ops', 'Extra', 'jira', 'notes', '1 app']) {
      expect(card.getByText(text)).toBeDefined();
    }
    expect(card.getByText(/^12 uses in 30 days, last /)).toBeDefined();
    expect(card.getByRole('switch', { name: 'Enable pdf' })).toHaveProperty('checked', true);
  });

  it('shows usage in a table, and remembers the row density', async () => {
    const used = { ...plain, usage: { uses: 12, lastUsedAt: '2026-03-20T10:00:00Z' } };
    show([used, { ...notes, usage: { uses: 0 } }], {}, true);
    const table = within(await screen.findByRole('table'));
    expect(table.getByRole('cell', { name: '12' })).toBeDefined();
    expect(table.getByRole('cell', { name: 'Never used' })).toBeDefined();
    await userEvent.click(table.getByRole('button', { name: 'Uses' }));
    const head = () => screen.getByRole('columnheader', { name: 'Uses' });
    expect(head().getAttribute('aria-sort')).toBe('descending');
    await userEvent.click(screen.getByRole('radio', { name: 'Compact' }));

    cleanup();
    show([plain], {}, true);
    expect(await screen.findByRole('radio', { name: 'Compact' })).toHaveProperty('checked', true);
    expect(await screen.findAllByText('Not counted')).toHaveLength(2);
  });

  it.each([true, false])('shows the folder and the number of files (wide: %s)', async (isWide) => {
    const single = { ...notes, files: 1, location: 'extra:team/notes' };
    show([plain, single], {}, isWide);
    const folderOf = (location: string) => screen.getByText(location).parentElement?.textContent;
    await screen.findByText('local:pdf');
    expect(folderOf('local:pdf')).toBe('local:pdf, 2 files');
    expect(folderOf('extra:team/notes')).toBe('extra:team/notes, 1 file');
  });

  it('shows the number of active filters behind the button', async () => {
    show([plain]);
    const button = await screen.findByRole('button', { name: 'Filters' });
    expect(screen.queryByRole('combobox', { name: 'Diagnostics' })).toBe(null);
    await userEvent.click(button);
    await userEvent.click(screen.getByRole('combobox', { name: 'Diagnostics' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Errors (1)' }));
    await userEvent.click(screen.getByRole('combobox', { name: 'App' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Legal desk' }));
    expect(await screen.findByRole('button', { name: 'Filters (2)' })).toBeDefined();
  });

  it.each([true, false])("shows whether a skill's plugin is trusted (wide: %s)", async (isWide) => {
    const plugin = { id: 'office', enabled: true, trusted: true };
    show([{ ...plain, source: 'plugin', plugin }], {}, isWide);
    expect(await screen.findByText('Trusted')).toBeDefined();
  });

  it('filters by a required tool if any skill requires one', async () => {
    const tools = [{ value: 'shell', count: 1 }];
    const items = [{ ...plain, requiresTools: ['shell'] }];
    show([], {
      'GET /api/admin/skills': {
        items,
        total: 1,
        facets: { ...facets, tools },
        foldersLeftOut: 0,
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Filters' }));
    await userEvent.click(await screen.findByRole('combobox', { name: 'Required tool' }));
    expect(await screen.findByRole('option', { name: 'shell 1' })).toBeDefined();
  });

  it('reverts a switch if the server refuses', async () => {
    show([plain]);
    const toggle = await screen.findByRole('switch', { name: 'Enable pdf' });
    let answer: (response: Response) => void = () => undefined;
    const answered = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    const reading = fetch;
    vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
      init.method === 'PUT' ? answered : reading(address, init),
    );
    await userEvent.click(toggle);
    expect(toggle).toHaveProperty('checked', false);
    answer(refusal(503, 'not-writable'));
    await waitFor(() => expect(toggle).toHaveProperty('checked', true));
  });

  it('cannot select or switch a shadowed skill', async () => {
    show([plain, hidden]);
    const boxes = await screen.findAllByRole('checkbox', { name: 'Select pdf' });
    expect(boxes.map((box) => (box as HTMLInputElement).disabled)).toEqual([false, true]);
    expect(screen.getAllByRole('switch')).toHaveLength(1);
  });

  it.each([
    ['Assign', 'assign'],
    ['Unassign', 'unassign'],
  ])('applies "%s" to all selected skills in one request', async (label, action) => {
    const writes = show([plain, notes], { [bulk]: done('pdf', 'notes') });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select pdf' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select notes' }));
    const bar = screen.getByRole('region', { name: 'Selected skills' });
    await userEvent.click(within(bar).getByRole('button', { name: label }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Legal desk' }));
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Selected skills' })).toBe(null),
    );
    const body = { action, names: ['pdf', 'notes'], kind: 'apps', id: 'legal' };
    expect(writes).toMatchObject([{ line: bulk, body }]);
  });

  it('selects skills on other pages as well, but no shadowed ones', async () => {
    const page = (...items: AdminSkill[]) => ({ items, total: 60, facets, foldersLeftOut: 0 });
    let answer = (_: unknown) => {};
    const others = new Promise<unknown>((resolve) => {
      answer = resolve;
    });
    const answers = [page(plain), others];
    show([], { 'GET /api/admin/skills': () => answers.shift() });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select pdf' }));
    await userEvent.click(screen.getByRole('button', { name: 'Select all 60' }));
    const off = screen.getByRole('button', { name: 'Switch off' });
    expect(off.matches(':disabled')).toBe(true);

    answer(page(plain, notes, hidden));
    expect(await screen.findByText('2 selected')).toBeDefined();
    expect(off.matches(':disabled')).toBe(false);
    expect(screen.queryByRole('button', { name: 'Select all 60' })).toBe(null);
  });

  it('focuses the heading after a bulk action', async () => {
    show([plain], { [bulk]: done('pdf') });
    const heading = screen.getByRole('heading', { name: 'Skills' });
    const bar = () => screen.queryByRole('region', { name: 'Selected skills' });
    const choose = await screen.findByRole('checkbox', { name: 'Select pdf' });
    await userEvent.click(choose);
    await userEvent.click(screen.getByRole('button', { name: 'Switch off' }));
    await waitFor(() => expect(bar()).toBe(null));
    expect(document.activeElement).toBe(heading);

    await userEvent.click(choose);
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.type(dialog.getByRole('textbox'), 'pdf');
    await userEvent.click(dialog.getByRole('button', { name: /^Delete/ }));
    await waitFor(() => expect(bar()).toBe(null));
    expect(document.activeElement).toBe(heading);
  });

  it('names failed skills, and keeps them selected', async () => {
    const failed = [{ name: 'notes', message: 'It has no description.' }];
    show([plain, notes], { [bulk]: { ...done('pdf'), failed } });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select pdf' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select notes' }));
    await userEvent.click(screen.getByRole('button', { name: 'Switch off' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('notes It has no description.');
    expect(screen.getByText('1 selected')).toBeDefined();
  });
});
