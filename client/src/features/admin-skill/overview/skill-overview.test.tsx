import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillFacts } from '@knowhow/shared/skills/skill-fields';
import { Notifications } from '@mantine/notifications';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { refusal, renderWithServer } from '../../../testing/render-with-server.tsx';
import { noRunner } from '../../../testing/runner-facts.ts';
import { preloadMarkdown } from '../../../ui/markdown/lazy-markdown.tsx';
import { SkillOverview } from './skill-overview.tsx';

const diagnostic = {
  code: 'yaml-tabs',
  severity: 'warning',
  message: 'Tabs.',
  fixable: true,
} as const;
const version = (number: number, checksum: string) => ({
  number,
  created: '2026-03-15T10:00:00Z',
  message: '',
  action: 'file-written',
  summary: '',
  origin: { kind: 'page' },
  checksum,
  files: 1,
  bytes: 1,
  isCurrent: false,
});

function show(skill: AdminSkillDetail, answers: Record<string, unknown> = {}) {
  const writes = renderWithServer(
    <>
      <SkillOverview skill={skill} />
      <Notifications />
    </>,
    {
      'GET /api/admin/skills/pdf/files/SKILL.md': () => new Response('---\nname: pdf\n---\n# How'),
      'GET /api/admin/skills/pdf': skill,
      'GET /api/admin/runner': noRunner,
      ...answers,
    },
  );
  return { writes, user: userEvent.setup() };
}

// Slow on a busy machine.
configure({ asyncUtilTimeout: 8000 });
beforeAll(preloadMarkdown);

describe("a skill's overview", () => {
  it('shows the instructions without the frontmatter', async () => {
    show(adminSkill());
    expect(await screen.findByRole('heading', { name: 'How' })).toBeTruthy();
    expect(screen.queryByText(/name: pdf/)).toBeNull();
  });

  it('shows all metadata, whatever its type', async () => {
    const metadata = {
      version: '1.2',
      'builds-with': 'ocr',
      team: '{"lead":"Ada"}',
      parameters: '{"type":"object","properties":{"text":{},"length":{}}}',
    };
    show(adminSkill({ metadata, version: '1.2', requiresTools: ['shell', 'browser'] }));
    const facts = await screen.findByRole('complementary', { name: 'Details' });
    for (const [key, value] of [
      ['Version', '1.2'],
      ['Required tools', 'shell, browser'],
      ['builds-with', 'ocr'],
      ['Parameters', 'text, length'],
      ['team', '{"lead":"Ada"}'],
    ] as const) {
      expect(within(facts).getByText(key).nextSibling?.textContent).toBe(value);
    }
  });

  it('shows every labelled field of the frontmatter', async () => {
    const values = Object.fromEntries(
      skillFacts.map(({ key, type }) => [key, type === 'text' ? `a ${key}` : [key, 'more']]),
    );
    show(adminSkill(values));
    const facts = await screen.findByRole('complementary', { name: 'Details' });
    expect(skillFacts.length).toBeGreaterThan(6);
    for (const { key, type } of skillFacts) {
      expect(within(facts).getByText(type === 'text' ? `a ${key}` : `${key}, more`)).toBeTruthy();
    }
  });

  it.each([
    ['LICENSE.txt', ['LICENSE.txt'], 'LICENSE.txt'],
    ['Complete terms in LICENSE.txt', ['LICENSE.txt'], 'LICENSE.txt'],
    ['Proprietary (see `legal/terms.md`).', ['legal/terms.md'], 'legal/terms.md'],
    ['./COPYING', ['COPYING'], 'COPYING'],
    ['terms of use.txt', ['terms of use.txt'], 'terms%20of%20use.txt'],
    ['LICENSE.txt', [], undefined],
    ['MIT', ['LICENSE.txt'], undefined],
  ])('links the license %j to its file in the folder', async (license, files, path) => {
    const file = { size: 1, executable: false, kind: 'text' as const };
    show(adminSkill({ license, fileList: files.map((each) => ({ ...file, path: each })) }));
    const facts = within(await screen.findByRole('complementary', { name: 'Details' }));
    expect(facts.getByText(license)).toBeTruthy();
    expect(facts.queryByRole('link')?.getAttribute('href')).toBe(
      path && `/admin/skills/pdf/files/${path}`,
    );
  });

  it('fixes only the reviewed files, with undo', async () => {
    const fixed = adminSkill({ checksum: 'c2' });
    const { user, writes } = show(adminSkill({ diagnostics: [diagnostic] }), {
      'POST /api/admin/skills/pdf/fix': fixed,
      'GET /api/skill-versions/pdf': {
        items: [version(8, 'c2'), version(7, 'c1')],
        total: 2,
      },
      'POST /api/skill-versions/pdf/7/restore': adminSkill(),
    });
    await user.click(screen.getByRole('button', { name: 'Fix' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(writes).toHaveLength(2));
    expect(writes).toMatchObject([
      { body: { code: 'yaml-tabs' }, ifMatch: '"c1"' },
      { line: 'POST /api/skill-versions/pdf/7/restore', ifMatch: '"c2"' },
    ]);
  });

  it('reports a conflict, and loads the current version', async () => {
    const { user } = show(adminSkill({ diagnostics: [diagnostic] }), {
      'POST /api/admin/skills/pdf/fix': () => refusal(412, 'changed-meanwhile'),
    });
    await user.click(screen.getByRole('button', { name: 'Fix' }));
    expect(await screen.findByText('Someone else has changed this in the meantime.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Load the current version' }));
    await waitFor(() =>
      expect(screen.queryByText('Someone else has changed this in the meantime.')).toBeNull(),
    );
  });

  it('approves the allowed tools of a remote skill, for the reviewed files', async () => {
    const there = { source: 'mcp', writable: false, checksum: 'c7' } as const;
    const given = adminSkill({ ...there, approval: 'given' });
    const { user, writes } = show(adminSkill({ ...there, approval: 'outdated' }), {
      'PUT /api/admin/skills/pdf': given,
    });
    expect(screen.getByText('Other server')).toBeTruthy();
    expect(screen.getByText(/It has changed since it was approved/)).toBeTruthy();
    await user.click(screen.getByRole('switch', { name: 'Trust its allowed-tools' }));
    await waitFor(() => expect(writes).toMatchObject([{ body: { approved: 'c7' } }]));
  });

  it("removes an override that equals the file's text", async () => {
    const own = adminSkill({ description: 'Mine.', overrides: { description: 'Mine.' } });
    const { user, writes } = show(own, { 'PUT /api/admin/skills/pdf': adminSkill() });
    const field = screen.getByRole('textbox', { name: 'Description' });
    await user.clear(field);
    await user.type(field, 'Reads PDF files. ');
    expect(screen.getByText('16 of 1,024 characters')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(writes[0]?.body).toEqual({ overrides: { description: '' } }));
  });

  it('overrides the display name, and restores the one from the file', async () => {
    const renamed = adminSkill({ displayName: 'Papers', overrides: { displayName: 'Papers' } });
    const { user, writes } = show(adminSkill(), { 'PUT /api/admin/skills/pdf': renamed });
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Display name' });
    expect(field.value).toBe('PDF');
    expect(field.maxLength).toBe(128);
    await user.clear(field);
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await user.type(field, ' Papers ');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(writes.map(({ body }) => body)).toEqual([
        { overrides: { displayName: 'Papers' } },
        { overrides: { displayName: '' } },
      ]),
    );
  });

  it('explains what a skill without a description needs, and accepts an override', async () => {
    const missing = { ...diagnostic, code: 'description-missing', severity: 'error' } as const;
    const mute = adminSkill({
      status: 'off',
      diagnostics: [missing],
      ownDescription: 'Some text.',
    });
    const { user, writes } = show(mute, { 'PUT /api/admin/skills/pdf': mute });
    expect(screen.getByText(/cannot be switched on without a description/)).toBeTruthy();
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' });
    expect(field.value).toBe('');
    await user.type(field, 'Some text.');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(writes[0]?.body).toEqual({ overrides: { description: 'Some text.' } }),
    );
  });

  it('names what a deletion removes, and restores the skill on undo', async () => {
    const { user, writes } = show(adminSkill({ apps: ['chat', 'legal'] }), {
      'DELETE /api/admin/skills/pdf': { name: 'pdf', restorable: 7 },
      'POST /api/skill-versions/pdf/7/restore': adminSkill(),
    });
    await user.click(screen.getByRole('button', { name: 'Delete skill' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/scripts\/fill\.py/)).toBeTruthy();
    expect(dialog.getByText(/chat and legal/)).toBeTruthy();
    expect(dialog.getByText(/users/)).toBeTruthy();
    await user.type(dialog.getByRole('textbox'), 'pdf');
    await user.click(dialog.getByRole('button', { name: 'Delete skill' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(writes).toHaveLength(2));
    expect(writes).toMatchObject([
      { line: 'DELETE /api/admin/skills/pdf', ifMatch: '"c1"' },
      { line: 'POST /api/skill-versions/pdf/7/restore', ifMatch: null },
    ]);
  });

  it('allows no changes to a skill in a read-only source', () => {
    show(adminSkill({ writable: false, diagnostics: [diagnostic] }));
    expect(screen.queryByRole('button', { name: 'Fix' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete skill' })).toBeNull();
  });
});
