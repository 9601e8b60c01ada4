import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { AdminBackup } from './admin-backup.tsx';

const state = { contentsBytes: 2_000_000, contentsFiles: 40, restoring: false };
const snapshot = {
  id: 's1',
  at: '2026-03-15T10:00:00Z',
  by: 'Ada',
  parts: ['apps', 'skills/pdf'],
  files: 12,
  bytes: 3000,
};
const plan = {
  format: 'knowhow',
  createdAt: '2026-03-14T10:00:00Z',
  app: '0.1.0',
  parts: ['apps', 'skills', 'data'],
  chosen: ['apps', 'skills', 'data'],
  added: 0,
  changed: 1,
  removed: 1,
  same: 20,
  changes: [
    { path: 'contents/apps/chat.json', change: 'changed', bytesBefore: 10, bytesAfter: 12 },
    { path: 'contents/skills/old/SKILL.md', change: 'removed', bytesBefore: 10 },
  ],
  refused: [],
  notUsed: [],
  warnings: ['The app "chat" names the model "x", which would not be there.'],
  data: { users: 12, conversations: 0 },
};

interface Shown {
  /** The server's responses to uploads, in order. */
  uploads?: unknown[];
  answers?: Record<string, unknown>;
}

function show({ uploads = [], answers = {} }: Shown = {}) {
  const addresses = stubUploads(uploads);
  const writes = renderWithServer(<AdminBackup />, {
    'GET /api/admin/backup': state,
    'GET /api/admin/backup/snapshots': { items: [snapshot], total: 1 },
    ...answers,
  });
  return { addresses, writes, user: userEvent.setup() };
}

/** Stubs the requests that report upload progress; returns their URLs. */
function stubUploads(answers: unknown[]): string[] {
  const addresses: string[] = [];
  const left = answers.map((answer) =>
    answer instanceof Response ? answer : Response.json(answer),
  );
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {};
      status = 0;
      responseText = '';
      onload = () => undefined;
      open(_method: string, address: string) {
        addresses.push(address);
      }
      setRequestHeader() {}
      abort() {}
      async send() {
        const answer = left.shift() ?? refusal(500, 'internal');
        this.status = answer.status;
        this.responseText = await answer.text();
        this.onload();
      }
    },
  );
  return addresses;
}

const backup = new File(['zip'], 'backup.zip', { type: 'application/zip' });

async function chooseBackup(user: ReturnType<typeof userEvent.setup>) {
  await user.upload(await screen.findByLabelText('Choose file'), backup);
  await screen.findByRole('heading', { name: 'backup.zip' });
}

async function confirmRestore(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole('button', { name: 'Restore…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox'), 'restore');
  await user.click(dialog.getByRole('button', { name: 'Restore' }));
}

describe('the page of backups', () => {
  it('links directly to the selected parts', async () => {
    const { user } = show();
    const link = screen.getByRole('link', { name: 'Download backup' });
    expect(link.getAttribute('href')).toBe('/api/admin/backup/export');
    await user.click(screen.getByRole('checkbox', { name: 'Skills' }));
    await user.click(screen.getByRole('checkbox', { name: 'Include users and conversations' }));
    expect(link.getAttribute('href')).toContain('data=true&only=apps%2Cmodels%2Cprompts');
    expect(await screen.findByText(/40 files of 2 MB/)).toBeTruthy();
  });

  it('shows the preview of a file before anything is restored, and names what will be removed', async () => {
    const { user, addresses } = show({ uploads: [{ plan, restored: false }] });
    await chooseBackup(user);
    expect(addresses).toEqual(['/api/admin/backup/import?dryRun=true']);
    expect(screen.getByText(/which would not be there/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Restore…' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('contents/skills/old/SKILL.md')).toBeTruthy();
    expect(dialog.getByText(/replaced by the 12 in the backup/)).toBeTruthy();
    expect(dialog.getByText(/the backup contains none/)).toBeTruthy();
    const button = dialog.getByRole('button', { name: 'Restore' });
    expect(button.hasAttribute('disabled')).toBe(true);
  });

  it('updates the preview for other parts, and restores only these', async () => {
    const part = { ...plan, chosen: ['apps', 'skills'], data: {} };
    const { user, addresses } = show({
      uploads: [
        { plan, restored: false },
        { plan: part, restored: false },
        { plan: part, restored: true, snapshot: 's2' },
      ],
    });
    await chooseBackup(user);
    await user.click(screen.getByRole('checkbox', { name: 'Users and conversations' }));
    expect(screen.queryByRole('button', { name: 'Restore…' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Update preview' }));
    await screen.findByRole('button', { name: 'Restore…' });
    await confirmRestore(user);
    await screen.findByRole('heading', { name: 'Backup restored' });
    const only = 'only=apps%2Cskills';
    const path = '/api/admin/backup/import';
    expect(addresses.slice(1)).toEqual([`${path}?dryRun=true&${only}`, `${path}?${only}`]);
  });

  it('blocks the restore if the server rejects it, and explains why', async () => {
    const refused = [{ path: 'contents/apps/chat.json', code: 'json', message: 'Not JSON.' }];
    const { user } = show({ uploads: [{ plan: { ...plan, refused }, restored: false }] });
    await chooseBackup(user);
    expect(screen.getByRole('alert').textContent).toContain('contents/apps/chat.json');
    const button = screen.getByRole('button', { name: 'Restore…' });
    expect(button.hasAttribute('disabled')).toBe(true);
  });

  it('explains why a file is not a backup, and accepts another', async () => {
    const { user } = show({ uploads: [refusal(400, 'invalid-archive')] });
    await user.upload(await screen.findByLabelText('Choose file'), backup);
    expect((await screen.findByRole('alert')).textContent).toContain('No.');
    await user.click(screen.getByRole('button', { name: 'Choose another file' }));
    expect(screen.getByLabelText('Choose file')).toBeTruthy();
  });

  it('names the invalid file in a backup, even if there is only one', async () => {
    const { user } = show({ uploads: [refusal(400, 'invalid-archive', 'data')] });
    await user.upload(await screen.findByLabelText('Choose file'), backup);
    expect((await screen.findByRole('listitem')).textContent).toContain('passwordNo. data');
  });

  it('shows the preview again with the reason if the restore fails', async () => {
    const { user } = show({ uploads: [{ plan, restored: false }, refusal(409, 'conflict')] });
    await chooseBackup(user);
    await confirmRestore(user);
    expect((await screen.findByRole('alert')).textContent).toContain('No.');
    expect(screen.getByRole('button', { name: 'Restore…' })).toBeTruthy();
  });

  it('undoes a restore from its snapshot', async () => {
    const { user, writes } = show({
      uploads: [
        { plan, restored: false },
        { plan, restored: true, snapshot: 's2' },
      ],
      answers: { 'POST /api/admin/backup/snapshots/s2/restore': { snapshot: 's3' } },
    });
    await chooseBackup(user);
    await confirmRestore(user);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByRole('heading', { name: 'Restore undone' });
    expect(writes.map(({ line }) => line)).toEqual(['POST /api/admin/backup/snapshots/s2/restore']);
  });

  it('asks to sign in if the restored users differ', async () => {
    let asked = 0;
    const { user } = show({
      uploads: [
        { plan, restored: false },
        { plan, restored: true, snapshot: 's2' },
      ],
      answers: {
        'GET /api/admin/backup': () => {
          asked += 1;
          return asked === 1 ? state : refusal(401, 'not-signed-in');
        },
      },
    });
    await chooseBackup(user);
    await confirmRestore(user);
    expect(await screen.findByText('Restored. Sign in again')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy();
  });

  it('deletes a snapshot only after its word was typed', async () => {
    const { user, writes } = show({
      answers: {
        'DELETE /api/admin/backup/snapshots/s1': () => new Response(null, { status: 204 }),
      },
    });
    await user.click(await screen.findByRole('button', { name: /^Delete the snapshot/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox'), 'delete');
    expect(writes).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(writes).toHaveLength(1));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Snapshots'), {
      timeout: 5000,
    });
  });

  it('explains why a scheduled backup failed, and what to do', async () => {
    const schedule = { cron: '0 3 * * *', error: 'No room is left.' };
    show({ answers: { 'GET /api/admin/backup': { ...state, schedule } } });
    expect((await screen.findByRole('alert')).textContent).toMatch(/No room is left.*BACKUP_DIR/);
  });

  it('explains how to schedule backups if none are scheduled', async () => {
    show();
    expect(await screen.findByText(/BACKUP_DIR=/)).toBeTruthy();
  });
});
