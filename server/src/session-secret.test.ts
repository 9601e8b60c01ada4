import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import jsonwebtoken from 'jsonwebtoken';
import { expect, onTestFinished, test } from 'vitest';
import { exportBackup } from './testing/backup-calls.ts';
import { signInAdmin } from './testing/sign-in-admin.ts';
import { createVisitor, defaultFiles, startTestServer } from './testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

async function start(folder: string) {
  const isNew = !(await readdir(folder)).includes('contents');
  const server = await startTestServer({ folder, ...(isNew && { files: defaultFiles }) });
  onTestFinished(server.close);
  return server;
}

async function whoIs(url: string, cookie: string): Promise<unknown> {
  return (await createVisitor(url, cookie)('/api/auth/me')).json();
}

test('keeps sessions across restarts, without a key file in the data folder', async () => {
  const folder = await temporaryFolder();
  const first = await start(folder);
  const login = await fetch(`${first.url}/api/apps`);
  const [cookie = ''] = login.headers.getSetCookie().map((each) => each.split(';')[0]);
  const me = await whoIs(first.url, cookie);
  expect(await readdir(join(folder, 'data'))).not.toContain('session.key');
  await first.close();
  const second = await start(folder);
  expect(await whoIs(second.url, cookie)).toEqual(me);
});

test('migrates the key file of an earlier version once, and removes it', async () => {
  const folder = await temporaryFolder();
  const key = randomBytes(32);
  const file = { 'data/session.key': key };
  await writeFiles(folder, file);
  const token = jsonwebtoken.sign({ kind: 'anonymous', visitorId: 'x' }, key, { expiresIn: 600 });
  const cookie = `knowhow_session=${token}`;
  const first = await start(folder);
  expect(await whoIs(first.url, cookie)).toMatchObject({ id: 'anonymous:x' });
  expect(await readdir(join(folder, 'data'))).not.toContain('session.key');
  await first.close();
  // Simulates a crash between the two, or a manually restored file.
  await writeFiles(folder, { 'data/session.key': randomBytes(32) });
  const second = await start(folder);
  expect(await whoIs(second.url, cookie)).toMatchObject({ id: 'anonymous:x' });
  expect(await readdir(join(folder, 'data'))).not.toContain('session.key');
});

test('excludes the key from a full backup', async () => {
  const folder = await temporaryFolder();
  const server = await start(folder);
  const admin = await signInAdmin(server);
  const path = '/api/admin/skills/meeting-notes/files/new.md';
  expect((await admin(path, { method: 'PUT', body: 'New.' })).status).toBe(200);
  const names = new AdmZip(await exportBackup(admin, '?data=true'))
    .getEntries()
    .map(({ entryName }) => entryName);
  expect(names.filter((name) => name.startsWith('data/')).sort()).toEqual([
    'data/activations.jsonl',
    'data/compactions.jsonl',
    'data/conversations.jsonl',
    'data/feedback.jsonl',
    'data/file_contents.jsonl',
    'data/files.jsonl',
    'data/inbox_items.jsonl',
    'data/lines.jsonl',
    'data/mail_settings.jsonl',
    'data/messages.jsonl',
    'data/personal_skill_shares.jsonl',
    'data/personal_skills.jsonl',
    'data/skill_blob_uses.jsonl',
    'data/skill_blobs.jsonl',
    'data/skill_drafts.jsonl',
    'data/skill_review_comments.jsonl',
    'data/skill_reviews.jsonl',
    'data/skill_source_skills.jsonl',
    'data/skill_source_states.jsonl',
    'data/skill_texts.jsonl',
    'data/skill_versions.jsonl',
    'data/skills.jsonl',
    'data/tool_results.jsonl',
    'data/user_prompts.jsonl',
    'data/users.jsonl',
    'data/vendor_states.jsonl',
  ]);
});
