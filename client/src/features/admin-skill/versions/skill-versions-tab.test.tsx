import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { refusal, renderWithServer } from '../../../testing/render-with-server.tsx';
import { skillVersion } from '../../../testing/skill-version.ts';
import { RightsContext } from '../../../ui/rights.ts';
import { SkillVersionsTab } from './skill-versions-tab.tsx';

const newest = skillVersion(4, { isCurrent: true, message: 'Shorter examples.' });
const deletion = skillVersion(3, { action: 'deleted', checksum: undefined, digest: undefined });
const imported = skillVersion(2, {
  origin: { kind: 'import', detail: 'pdf.zip' },
  action: 'imported',
});
const first = skillVersion(1, {
  action: 'found',
  summary: '',
  author: undefined,
  origin: { kind: 'file-system' },
});
const list = { items: [newest, deletion, imported, first], total: 4 };
const changes = [
  {
    path: 'SKILL.md',
    change: 'changed',
    hunks: [
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' # PDF', '-Old.', '+New.'] },
    ],
  },
  { path: 'b.md', pathBefore: 'a.md', change: 'renamed', bytesBefore: 5, bytesAfter: 5 },
  { path: 'logo.png', change: 'removed', bytesBefore: 2000 },
];
const diff = { from: first, to: newest, changes };

const items = (id: string, name: string) => ({
  items: [{ id, path: `${id}.json`, config: { id, name }, text: '', checksum: 'c' }],
  total: 1,
});

const use = { answers: 3, activations: 2, refused: 0, limited: 0, costs: [] };
const figures = {
  ...{ days: 400, from: '2026-01-01', to: '2026-03-25' },
  versions: [
    { ...use, version: 4, thumbs: { up: 2, down: 1 } },
    { ...use, answers: 9, thumbs: { up: 0, down: 0 } },
  ],
};

type Shown = Partial<AdminSkillDetail> & {
  versions?: unknown;
  uses?: unknown;
  previewed?: unknown;
};

function show({
  writable = true,
  versions = list as unknown,
  uses = figures as unknown,
  previewed = {} as unknown,
  ...fields
}: Shown = {}) {
  const writes = renderWithServer(
    <SkillVersionsTab skill={adminSkill({ writable, checksum: 'c4', ...fields })} />,
    {
      'GET /api/skill-versions/pdf': versions,
      'GET /api/skill-versions/pdf/4/diff': diff,
      'GET /api/skill-versions/pdf/1/diff': diff,
      'GET /api/skill-versions/pdf/1': {
        version: first,
        files: [
          { path: 'SKILL.md', size: 10, executable: false },
          { path: 'huge.txt', size: 10_000_000, executable: false },
        ],
      },
      'GET /api/skill-versions/pdf/1/files/SKILL.md': 'The old instructions.',
      'GET /api/admin/analytics/skills/pdf/versions': uses,
      'POST /api/skill-versions/pdf/1/restore': adminSkill(),
      'POST /api/skill-versions/pdf/1/preview': previewed,
      'GET /api/admin/apps': items('chat', 'Chat'),
      'GET /api/admin/groups': items('staff', 'Staff'),
      'GET /api/admin/audit': {
        items: [
          {
            id: 'a',
            at: '2026-03-15T10:00:00Z',
            userId: 'u',
            userName: 'Grace',
            action: 'switched-off',
            kind: 'skill',
            target: 'pdf',
            before: { enabled: true },
            after: { enabled: false },
          },
        ],
        total: 1,
      },
    },
  );
  return { writes, user: userEvent.setup() };
}

describe('the versions of a skill', () => {
  it('say who made them, why, where from, and which one is current', async () => {
    show();
    const [current, , second, oldest] = await screen.findAllByRole('listitem');
    expect(current?.textContent).toContain('Shorter examples.Current');
    expect(current?.textContent).toContain('File written SKILL.md');
    expect(current?.textContent).toContain('444444444444');
    expect(second?.textContent).toContain('Import of pdf.zip');
    expect(oldest?.textContent).toContain('Changed in the file system');
    const restores = screen.getAllByRole('button', { name: /^Restore/ });
    expect(restores.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Restore version 2',
      'Restore version 1',
    ]);
  });

  it('say that there are none', async () => {
    show({ versions: { items: [], total: 0 } });
    expect(await screen.findByText('No versions yet')).toBeTruthy();
    expect(screen.queryByText(/to compare/)).toBeNull();
  });

  it('show the differences from the version before', async () => {
    const { user } = show();
    await user.click(await screen.findByRole('button', { name: 'Changes in version 4' }));
    expect(await screen.findByRole('button', { name: /SKILL\.md Changed/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: /b\.md formerly a\.md Renamed/ })).toBeTruthy();
  });

  it('are compared two at a time, in one column or in two', async () => {
    const { user } = show();
    await user.click(await screen.findByRole('checkbox', { name: 'Select version 4 to compare' }));
    expect(screen.getByText('Select one more version to compare.')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Select version 1 to compare' }));
    await user.click(screen.getByRole('button', { name: 'Compare 1 with 4' }));
    const comparison = await screen.findByRole('region', { name: 'Version 1 compared with 4' });
    const cells = async () =>
      (await within(comparison).findAllByRole('row')).map((row) => row.textContent);
    expect(await cells()).toEqual(['11 # PDF', '2-Old.', '2+New.']);
    await user.click(within(comparison).getByRole('radio', { name: 'Side by side' }));
    expect(await cells()).toEqual(['1# PDF1# PDF', '2Old.2New.']);
    await user.click(within(comparison).getByRole('button', { name: 'Close the comparison' }));
    expect(screen.queryByRole('region', { name: 'Version 1 compared with 4' })).toBeNull();
  });

  it('are compared by their figures', async () => {
    show();
    const table = await screen.findByRole('table', { name: 'Usage by version' });
    const [, newer, previous, unknown] = within(table).getAllByRole('row');
    expect(newer?.textContent).toContain('Version 4');
    expect(newer?.textContent).toContain('2 positive, 1 negative');
    expect(previous?.textContent).toContain('Version 2');
    expect(unknown?.textContent).toContain('Unknown version');
    expect(unknown?.textContent).toContain('9');
  });

  it('say that none was used', async () => {
    show({ uses: { ...figures, versions: [] } });
    expect(await screen.findByText(/No use of this skill was recorded/)).toBeTruthy();
  });

  it('say that figures are switched off', async () => {
    show({ uses: { ...figures, days: 0, versions: [] } });
    expect(await screen.findByText(/Counting starts then/)).toBeTruthy();
  });

  it('offer to load their figures again if that failed', async () => {
    show({ uses: refusal(404, 'not-found') });
    expect(await screen.findByRole('button', { name: /Try again|Retry/ })).toBeTruthy();
  });

  it('show no figures without the right to read them', async () => {
    const right = (rights: string[]) => (
      <RightsContext value={rights}>
        <SkillVersionsTab skill={adminSkill()} />
      </RightsContext>
    );
    renderWithServer(right(['skills']), { 'GET /api/skill-versions/pdf': list });
    expect(await screen.findAllByRole('listitem')).toHaveLength(4);
    expect(screen.queryByRole('region', { name: 'Usage by version' })).toBeNull();
  });

  it('show their files', async () => {
    const { user } = show();
    await user.click(await screen.findByRole('button', { name: 'View files of version 1' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('button', { name: 'Show huge.txt' }));
    expect(dialog.getByText(/too long to show/)).toBeTruthy();
    expect(dialog.getByRole('link', { name: 'Download huge.txt' })).toBeTruthy();
  });

  it('are restored over the reviewed files, after the page has said what changes', async () => {
    const { user, writes } = show();
    await user.click(await screen.findByRole('button', { name: 'Restore version 1' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByRole('button', { name: /logo\.png Removed/ })).toBeTruthy();
    expect(writes).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Restore' }));
    await waitFor(() => expect(writes).toMatchObject([{ ifMatch: '"c4"' }]));
  });

  it('are previewed for groups', async () => {
    const { user, writes } = show();
    await user.click(await screen.findByRole('button', { name: 'Preview version 1 for groups' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Start preview' })).toMatchObject({ disabled: true });
    await user.click(dialog.getByRole('combobox', { name: 'Groups' }));
    await user.click(await screen.findByRole('option', { name: 'Staff' }));
    await user.click(dialog.getByRole('button', { name: 'Start preview' }));
    await waitFor(() => expect(writes).toMatchObject([{ body: { groups: ['staff'] } }]));
  });

  it('are previewed in spite of a required check, with a reason', async () => {
    const issues = [{ path: 'a.md', code: 'secrets', message: 'a.md: Line 1 …' }];
    const body = { type: '', title: '', status: 409, code: 'check-failed', detail: 'No.', issues };
    const { user, writes } = show({ previewed: () => Response.json(body, { status: 409 }) });
    await user.click(await screen.findByRole('button', { name: 'Preview version 1 for groups' }));
    const dialog = within(await screen.findByRole('dialog'));
    const start = dialog.getByRole('button', { name: 'Start preview' });
    await user.click(dialog.getByRole('combobox', { name: 'Groups' }));
    await user.click(await screen.findByRole('option', { name: 'Staff' }));
    await user.click(start);
    const reason = await dialog.findByRole('textbox', { name: /^Reason/ });
    expect(dialog.getByText(/^A required check fails: .*secrets.* give a reason/i)).toBeTruthy();
    expect(start).toMatchObject({ disabled: true });
    await user.type(reason, 'An example.');
    await user.click(start);
    await waitFor(() => expect(writes).toHaveLength(2));
    expect(writes[1]?.body).toEqual({ groups: ['staff'], override: { reason: 'An example.' } });
  });

  it('show a running preview, which can be ended', async () => {
    const { user, writes } = show({ preview: { version: 1, groups: ['staff'] } });
    expect(await screen.findByText(/^Version 1 is in preview for Staff\./)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'End preview' }));
    await waitFor(() => expect(writes).toMatchObject([{ body: { groups: [] } }]));
  });

  it('name the apps that are pinned to them', async () => {
    show({ pins: [{ app: 'chat', version: 2 }] });
    await screen.findByText('Pinned in Chat');
    const [, , second] = screen.getAllByRole('listitem');
    expect(second?.textContent).toContain('Pinned in Chat');
  });

  it('are not restored in a read-only source', async () => {
    show({ writable: false });
    await screen.findByText('Changed in the file system');
    expect(screen.queryByRole('button', { name: /^Restore/ })).toBeNull();
  });

  it('stand above the audit entries', async () => {
    show();
    expect(await screen.findByText('Grace')).toBeTruthy();
    expect(screen.getByText('enabled: true → false')).toBeTruthy();
  });
});

it('compares the published version in use with the one before and the preview', async () => {
  show({ preview: { version: 1, groups: ['staff'] } });
  const table = within(await screen.findByRole('table', { name: 'Usage by version' }));
  const rows = table.getAllByRole('row').slice(1);
  expect(rows.map((row) => row.textContent)).toMatchObject([
    expect.stringContaining('Version 4 · published'),
    expect.stringContaining('Version 2 · before it'),
    expect.stringContaining('Version 1 · preview'),
    expect.stringContaining('Unknown version'),
  ]);
});
