import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newestMigration } from '../../../platform/storage/module-tables.ts';
import { tables } from '../../../tables.ts';
import {
  exportBackup,
  importBackup,
  manifestZip,
  sendBackup,
} from '../../../testing/backup-calls.ts';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';

const newest = newestMigration(tables.migrations);
const conversationId = '459f29f8-fecd-4a26-aba0-0fb1adc375ce';

/** Rows from before conversations had `skills_off`. */
const formerRows = {
  'data/conversations.jsonl': {
    id: conversationId,
    owner: 'nobody',
    app_id: 'chat',
    model: 'scripted',
    title: 'An old one',
    created_at: '2026-01-01T10:00:00.000Z',
    updated_at: '2026-01-01T10:00:00.000Z',
  },
  'data/messages.jsonl': {
    id: '583c4cf1-b595-4c43-873b-c694162d1aaf',
    conversation_id: conversationId,
    position: 0,
    role: 'user',
    content: 'Was it long ago?',
    status: 'complete',
    details: '{"skills":[]}',
    created_at: '2026-01-01T10:00:00.000Z',
  },
  'data/activations.jsonl': '',
};

/** A backup whose rows claim to be that old. */
function formerZip(migration: string, rows: Record<string, unknown>): Buffer {
  const lines = Object.entries(rows).map(([path, row]) => [
    path,
    typeof row === 'string' ? row : `${JSON.stringify(row)}\n`,
  ]);
  return manifestZip(Object.fromEntries(lines), (manifest) => ({ ...manifest, migration }));
}

async function start(): Promise<{ server: TestServer; admin: Visitor }> {
  const server = await startTestServer();
  onTestFinished(server.close);
  return { server, admin: await signInAdmin(server) };
}

describe('a backup of an earlier release', () => {
  test('made after migration 8 is restored, with users who can sign in', async () => {
    const { server, admin } = await start();
    const path = new URL('../../../testing/backups/migration-0008.zip', import.meta.url);

    const { plan } = await importBackup(admin, await readFile(path));

    expect(plan.data).toEqual({ users: 2, conversations: 1, messages: 2, activations: 1 });
    const mia = server.visitor();
    const json = { username: 'mia', password: 'mias own password' };
    expect((await mia('/api/auth/login', { json })).status).toBe(200);
    const conversation = await readConversation(await signInAdmin(server), conversationId);
    expect(conversation.title).toBe('What is decided stays decided.');
    expect(conversation.skillsOff).toEqual(['release-notes']);
    expect(conversation.activeSkills.map(({ name }) => name)).toEqual(['meeting-notes']);
  });

  test('has its rows migrated to the current tables', async () => {
    const { admin } = await start();

    await importBackup(admin, formerZip('0006-sign-in', formerRows));

    const zip = new AdmZip(await exportBackup(admin, '?data=true'));
    const conversation = JSON.parse(zip.readAsText('data/conversations.jsonl'));
    expect(conversation).toEqual({
      ...formerRows['data/conversations.jsonl'],
      skills_off: null,
      ranked: null,
      tools: null,
      ...{ pinned: 0, archived: 0, folder: null },
    });
    expect(JSON.parse(zip.readAsText('data/messages.jsonl'))).toMatchObject(
      formerRows['data/messages.jsonl'],
    );
  });

  test.each([
    ['a column that never existed', { colour: 'red' }],
    ['a value that no database accepts', { title: { text: 'An old one' } }],
    ['a NUL', { title: 'An old\0one' }],
  ])('with %s is rejected, with its line, and nothing is changed', async (_, lie) => {
    const { admin } = await start();
    const { conversationId: own } = await takeTurn(admin, { message: 'Hello' });
    const conversations = { ...formerRows['data/conversations.jsonl'], ...lie };
    const zip = formerZip('0006-sign-in', {
      ...formerRows,
      'data/conversations.jsonl': conversations,
    });

    const { code, issues } = await parseProblem(sendBackup(admin, zip));

    expect(code).toBe('invalid-archive');
    expect(issues?.[0]).toMatchObject({ path: 'data/conversations.jsonl', code: 'row' });
    expect(issues?.[0]?.message).toContain('Line 1');
    expect((await readConversation(admin, own)).title).toBe('Hello');
  });

  test('that is a snapshot is migrated as well', async () => {
    const { server, admin } = await start();
    const zip = await exportBackup(admin, '?data=true');
    const { snapshot } = await importBackup(admin, zip);
    const folder = join(server.folder, 'data/snapshots', snapshot ?? '');
    const description = JSON.parse(await readFile(join(folder, 'snapshot.json'), 'utf8'));
    expect(description.migration).toBe(newest);
    const older = { ...description, migration: '0006-sign-in' };
    await writeFile(join(folder, 'snapshot.json'), JSON.stringify(older));
    const row = `${JSON.stringify(formerRows['data/conversations.jsonl'])}\n`;
    await writeFile(join(folder, 'data/conversations.jsonl'), row);

    const path = `/api/admin/backup/snapshots/${snapshot}/restore`;
    expect((await admin(path, { method: 'POST' })).status).toBe(200);

    const restored = new AdmZip(await exportBackup(admin, '?data=true'));
    expect(JSON.parse(restored.readAsText('data/conversations.jsonl'))).toMatchObject({
      title: 'An old one',
      skills_off: null,
    });
  });
});

describe('a backup', () => {
  test('names the last migration of its tables', async () => {
    const { admin } = await start();
    const zip = new AdmZip(await exportBackup(admin, '?data=true'));
    expect(JSON.parse(zip.readAsText('manifest.json')).migration).toBe(newest);
  });

  test.each(['9999-of-a-later-release', 'constructor'])(
    'rejects one whose tables this release does not know (%s)',
    async (migration) => {
      const { admin } = await start();
      const { code, issues } = await parseProblem(
        sendBackup(admin, formerZip(migration, formerRows)),
      );
      expect(code).toBe('invalid-archive');
      expect(issues?.[0]?.code).toBe('newer-version');
    },
  );
});
