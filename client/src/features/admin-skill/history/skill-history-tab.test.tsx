import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { renderWithServer } from '../../../testing/render-with-server.tsx';
import { SkillHistoryTab } from './skill-history-tab.tsx';

const revision = (number: number, fields: object) => ({
  number,
  at: '2026-03-15T10:00:00Z',
  by: 'Ada',
  action: 'file-written',
  summary: 'SKILL.md',
  checksum: `c${number}`,
  files: 2,
  bytes: 2000,
  current: false,
  ...fields,
});
const newest = revision(3, { current: true });
const before = revision(2, { action: 'deleted', checksum: undefined });
const first = revision(1, { action: 'found', summary: '', by: undefined });

function show(writable = true) {
  const writes = renderWithServer(
    <SkillHistoryTab skill={adminSkill({ writable, checksum: 'c3' })} />,
    {
      'GET /api/admin/skills/pdf/history': { items: [newest, before, first], total: 3 },
      'GET /api/admin/skills/pdf/history/3': {
        revision: newest,
        changes: [{ path: 'SKILL.md', change: 'added', bytesAfter: 2000 }],
      },
      'POST /api/admin/skills/pdf/history/1/restore': adminSkill(),
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

describe('the history of a skill', () => {
  it('shows who did what, and offers to restore earlier versions', async () => {
    show();
    expect(await screen.findByText('Changed on disk')).toBeTruthy();
    const restores = screen.getAllByRole('button', { name: /^Restore/ });
    expect(restores.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Restore version 1',
    ]);
  });

  it('shows the differences from the previous version', async () => {
    const { user } = show();
    await user.click(await screen.findByRole('button', { name: 'Changes in version 3' }));
    expect(await screen.findByRole('button', { name: /SKILL\.md Added 2 kB/ })).toBeTruthy();
  });

  it('restores over the reviewed files after confirmation', async () => {
    const { user, writes } = show();
    await user.click(await screen.findByRole('button', { name: 'Restore version 1' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(writes).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Restore' }));
    await waitFor(() => expect(writes).toMatchObject([{ ifMatch: '"c3"' }]));
  });

  it('restores nothing in a read-only source', async () => {
    show(false);
    await screen.findByText('Changed on disk');
    expect(screen.queryByRole('button', { name: /^Restore/ })).toBeNull();
  });

  it('shows audit entries next to the files', async () => {
    show();
    expect(await screen.findByText('Grace')).toBeTruthy();
    expect(screen.getByText('enabled: true → false')).toBeTruthy();
  });
});
