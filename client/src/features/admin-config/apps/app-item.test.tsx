import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import {
  refusal,
  renderWithServer,
  type SentRequest,
} from '../../../testing/render-with-server.tsx';
import { skillVersion } from '../../../testing/skill-version.ts';
import type { Config } from '../items/config-value.ts';
import { AppItem } from './app-item.tsx';

// Required by autosizing fields, and missing in jsdom.
Object.assign(document, { fonts: new EventTarget() });

const items = (...configs: Config[]) => ({ items: configs.map(itemOf), total: configs.length });

function itemOf(config: Config) {
  const id = String(config.id);
  return { id, path: `contents/apps/${id}.json`, config, text: '', checksum: 'first' };
}

const skills = [
  adminSkill({ name: 'letters' }),
  adminSkill({ name: 'notes' }),
  adminSkill({ name: 'pdf', priority: 1 }),
  adminSkill({ name: 'style', global: true }),
  adminSkill({ name: 'style', status: 'shadowed' }),
];

const version = (number: number, isCurrent: boolean) =>
  skillVersion(number, { isCurrent, message: `Change ${number}.` });

/** Renders the page of an app; returns what is saved. */
function show(fields: Config): Config[] {
  const app = { id: 'chat', name: 'Chat', ...fields };
  const written: Config[] = [];
  const facets = {
    statuses: { on: 4, off: 0, blocked: 0, broken: 0, shadowed: 0 },
    problems: { errors: 0, warnings: 0 },
    sources: [],
    categories: [],
    tags: [],
    tools: [],
  };
  renderWithServer(<AppItem id="chat" />, {
    'GET /api/admin/apps/chat': itemOf(app),
    'GET /api/admin/apps': items(app),
    'GET /api/admin/groups': items(),
    'GET /api/admin/models': items(),
    'GET /api/admin/skills': { items: skills, total: 4, facets, foldersLeftOut: 0 },
    ...Object.fromEntries(
      skills.toReversed().map((one) => [`GET /api/admin/skills/${one.name}`, one]),
    ),
    'GET /api/skill-versions/notes': { items: [version(7, true), version(4, false)], total: 2 },
    'GET /api/skill-versions/notes/4': { version: version(4, false), files: [] },
    'GET /api/skill-versions/notes/3': {
      version: version(3, false),
      files: [{ path: 'a.md', size: 0, executable: false, isMissing: true }],
    },
    'GET /api/skill-versions/pdf': { items: [version(2, true)], total: 1 },
    'GET /api/skill-versions/pdf/9': () => refusal(404, 'not-found'),
    'PUT /api/admin/apps/chat': ({ body }: SentRequest) => {
      written.push(body as Config);
      return itemOf(body as Config);
    },
  });
  return written;
}

const save = (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Control>}s{/Control}');
const rowsOf = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map((row) => within(row).getByRole('link').textContent);

it('shows "not found" for a missing app, with a link to all apps', async () => {
  renderWithServer(<AppItem id="gone" />, {
    'GET /api/admin/apps/gone': () => refusal(404, 'not-found'),
    'GET /api/admin/groups': items(),
  });
  expect(await screen.findByText('“gone” not found')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Show all' }).getAttribute('href')).toBe('/admin/apps');
});

it('has an icon or an emoji, and a colour; an invalid emoji is reported at once', async () => {
  const written = show({ icon: 'no-such' });
  const user = userEvent.setup();
  const emoji = await screen.findByRole('textbox', { name: 'Or an emoji' });
  expect(emoji.getAttribute('aria-invalid')).toBe('true');
  await user.click(screen.getByRole('radio', { name: 'Rocket' }));
  expect(emoji).toMatchObject({ value: '' });
  expect(emoji.getAttribute('aria-invalid')).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'Violet' }));
  await save(user);
  await waitFor(() => expect(written.at(-1)).toMatchObject({ icon: 'rocket', color: 'violet' }));
  await user.type(emoji, '🦊');
  expect(screen.getByRole('radio', { name: 'Rocket' })).toMatchObject({ checked: false });
  await save(user);
  await waitFor(() => expect(written.at(-1)).toMatchObject({ icon: '🦊' }));
});

describe('the skills of an app', () => {
  it('are reordered with the keyboard, which keeps the focus', async () => {
    const written = show({ skills: ['letters', 'notes', 'pdf'] });
    const user = userEvent.setup();
    const up = await screen.findByRole('button', { name: 'Move pdf up' });
    up.focus();
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move pdf up' }));
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move pdf down' }));
    const list = screen.getByRole('list', { name: 'Skills of this app' });
    await waitFor(() => expect(rowsOf(list)).toEqual(['pdf', 'letters', 'notes']));
    await save(user);
    await waitFor(() => expect(written).toMatchObject([{ skills: ['pdf', 'letters', 'notes'] }]));
  });

  it('are reordered by dragging', async () => {
    const written = show({ skills: ['letters', 'notes', 'pdf'] });
    const list = await screen.findByRole('list', { name: 'Skills of this app' });
    await waitFor(() => expect(rowsOf(list)).toEqual(['letters', 'notes', 'pdf']));
    const [first, , last] = within(list).getAllByRole('listitem');
    expect(first?.textContent).toContain('Local · 2 files');
    if (!first || !last) {
      throw new Error('Three skills are listed.');
    }
    fireEvent.dragStart(first, { dataTransfer: { setData: () => undefined } });
    fireEvent.dragOver(last);
    fireEvent.drop(last);
    await waitFor(() => expect(rowsOf(list)).toEqual(['notes', 'pdf', 'letters']));
    await save(userEvent.setup());
    await waitFor(() => expect(written).toMatchObject([{ skills: ['notes', 'pdf', 'letters'] }]));
  });

  it('are always used if switched on, until they are removed', async () => {
    const written = show({ skills: ['letters', 'notes'] });
    const user = userEvent.setup();
    await user.click(await screen.findByLabelText('Always use notes'));
    await user.click(await screen.findByLabelText('Always use style'));
    await save(user);
    await waitFor(() =>
      expect(written[0]).toMatchObject({ skillSettings: { autoInject: ['notes', 'style'] } }),
    );
    await user.click(screen.getByRole('button', { name: 'Remove notes' }));
    await save(user);
    await waitFor(() =>
      expect(written[1]).toMatchObject({
        skills: ['letters'],
        skillSettings: { autoInject: ['style'] },
      }),
    );
  });

  it('show why they are inherited, and can be added to the order', async () => {
    const written = show({ skills: ['*', 'notes'] });
    const user = userEvent.setup();
    const inherited = await screen.findByRole('list', { name: 'Inherited' });
    expect(rowsOf(inherited)).toEqual(['pdf', 'letters', 'style']);
    const [pdf, , style] = within(inherited).getAllByRole('listitem');
    expect(pdf?.textContent).toContain('Inherited: all skills');
    expect(style?.textContent).toContain('Inherited: every app');
    await user.click(screen.getByRole('button', { name: 'Add style to the order' }));
    await waitFor(() => expect(rowsOf(inherited)).toEqual(['pdf', 'letters']));
    await save(user);
    await waitFor(() => expect(written).toMatchObject([{ skills: ['*', 'notes', 'style'] }]));
  });

  it('can be excluded from an app if inherited, and included again', async () => {
    const written = show({ skills: ['*'], skillSettings: { autoInject: ['pdf'] } });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Exclude pdf from this app' }));
    await user.click(screen.getByRole('button', { name: 'Exclude notes from this app' }));
    const inherited = screen.getByRole('list', { name: 'Inherited' });
    await waitFor(() => expect(rowsOf(inherited)).toEqual(['letters', 'style']));
    const out = screen.getByRole('list', { name: 'Excluded' });
    await waitFor(() => expect(rowsOf(out)).toEqual(['pdf', 'notes']));
    await user.click(screen.getByRole('button', { name: 'Offer notes again' }));
    await waitFor(() => expect(rowsOf(inherited)).toEqual(['letters', 'notes', 'style']));
    await save(user);
    await waitFor(() => expect(written).toMatchObject([{ skillSettings: { exclude: ['pdf'] } }]));
    expect(written[0]?.skillSettings).not.toHaveProperty('autoInject');
  });

  it('are pinned to a version, and follow the published one again', async () => {
    const written = show({ skills: ['letters', 'notes'] });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Pin notes to a version' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Pin' })).toMatchObject({ disabled: true });
    await user.click(await dialog.findByRole('radio', { name: 'Version 4' }));
    await user.click(dialog.getByRole('button', { name: 'Pin' }));
    expect(await screen.findByText('Version 4 of 7')).toBeTruthy();
    const link = await screen.findByRole('link', { name: 'Update available: show changes' });
    expect(link.getAttribute('href')).toBe('/admin/skills/notes/versions?from=4&to=7');
    await save(user);
    await waitFor(() =>
      expect(written).toMatchObject([{ skills: ['letters', { name: 'notes', version: 4 }] }]),
    );
    await user.click(screen.getByRole('button', { name: 'Follow the published version of notes' }));
    await save(user);
    await waitFor(() => expect(written[1]).toMatchObject({ skills: ['letters', 'notes'] }));
  });

  it('show a pin to a version that does not exist', async () => {
    show({ skills: [{ name: 'pdf', version: 9 }] });
    // A query by role takes seconds on a page of this size.
    const fault = await screen.findByText(/^Version 9 does not exist/);
    expect(fault.closest('[role="alert"]')).toBeTruthy();
  });

  it('show a pin to an incomplete version, and what to do', async () => {
    show({ skills: [{ name: 'notes', version: 3 }] });
    const fault = await screen.findByRole('alert');
    expect(fault.textContent).toMatch(/^Version 3 is incomplete.*Restore a backup/);
  });

  it('can be left out of the prompt, and show their source', async () => {
    const written = show({ skills: ['notes'] });
    const user = userEvent.setup();
    await user.click(await screen.findByLabelText(/^Include the skill catalogue/));
    await user.click(screen.getByLabelText(/^Show the source of each skill/));
    await save(user);
    await waitFor(() =>
      expect(written).toMatchObject([{ skillSettings: { catalog: false, showSource: true } }]),
    );
  });

  it('can be left to search', async () => {
    const written = show({ skills: ['*'] });
    const user = userEvent.setup();
    const mode = await screen.findByLabelText<HTMLSelectElement>(
      /^If the prompt cannot hold all skills/,
    );
    expect(mode.selectedOptions[0]?.text).toMatch(/^List the best matches/);
    await user.selectOptions(mode, 'search');
    await save(user);
    await waitFor(() =>
      expect(written).toMatchObject([{ skillSettings: { discoveryMode: 'search' } }]),
    );
  });

  it('can be chosen before the answer', async () => {
    const written = show({ skills: ['*'] });
    const user = userEvent.setup();
    const router = await screen.findByLabelText<HTMLSelectElement>(/^Choose skills before/);
    expect(router.selectedOptions[0]?.text).toBe('For models without tools');
    await user.selectOptions(router, 'always');
    await save(user);
    await waitFor(() => expect(written).toMatchObject([{ skillSettings: { router: 'always' } }]));
  });
});

it('lists unknown fields of the objects in an app, which are preserved', async () => {
  show({
    skillSettings: { routers: 'off' },
    skills: [{ name: 'notes', version: 4, versions: 2 }],
  });
  for (const field of ['skillSettings.routers', 'skills.0.versions']) {
    expect(await screen.findByText(field)).toBeTruthy();
  }
});
