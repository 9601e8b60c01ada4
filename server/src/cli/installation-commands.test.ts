import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { adminApi } from '@knowhow/shared/config/admin';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DatabaseLocation } from '../platform/storage/open-database.ts';
import { parseAnswer } from '../testing/parse-answer.ts';
import { runCommand } from '../testing/run-command.ts';
import { signInAdmin } from '../testing/sign-in-admin.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { adminPassword, startTestServer, type TestServer } from '../testing/start-test-server.ts';
import { takeTurn } from '../testing/take-turn.ts';
import { createTestDatabase, onPostgres } from '../testing/test-database.ts';
import { waitFor } from '../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../testing/write-files.ts';
import type { Terminal } from './terminal.ts';

let server: TestServer;
let folder: string;
let place: DatabaseLocation;

beforeEach(async () => {
  server = await startTestServer();
  folder = server.folder;
  place = await createTestDatabase(join(folder, 'data'));
});
afterEach(() => server.close());

const installation = (given?: string) => ({
  contentsDirectory: join(folder, 'contents'),
  ...place,
  skillsExtraDirectories: [],
  skillsExtraRecursive: [],
  adminPassword: given,
  variables: {},
  version: '1.2.3',
});

function run(command: string, terminal: Partial<Terminal> = {}) {
  return runCommand(command.split(' '), { installation: () => installation(), ...terminal });
}

const restart = async () => {
  await server.close();
  // Like an installation that does not set ADMIN_PASSWORD.
  server = await startTestServer({ folder, environment: { ADMIN_PASSWORD: '' } });
};

async function signIn(username: string, password: string): Promise<number> {
  return (await server.visitor()('/api/auth/login', { json: { username, password } })).status;
}

describe('reset-password', () => {
  test('resets the password of admin while the server runs, and ends the sessions', async () => {
    const admin = await signInAdmin(server);
    const { code, out, error } = await run('reset-password');
    expect([code, error]).toEqual([0, '']);
    const password = /^The password of "admin" is now: (\S{20})$/.exec(out)?.[1] ?? '';
    expect(await signIn('admin', adminPassword)).toBe(401);
    expect(await signIn('admin', password)).toBe(200);
    expect((await admin('/api/admin/users')).status).toBe(401);
    await signIn('admin', password);
    const again = server.visitor();
    await again('/api/auth/login', { json: { username: 'admin', password } });
    const { items } = await parseAnswer(
      adminApi.audit.response,
      again('/api/admin/audit?kind=user'),
    );
    expect(items[0]).toMatchObject({ action: 'reset-password', target: 'admin' });
    expect(JSON.stringify(items)).not.toContain(password);
  });

  test('reads it from standard input, for any user', async () => {
    const admin = await signInAdmin(server);
    const anna = { username: 'anna', name: 'Anna', groups: [], password: 'the old password' };
    expect((await admin('/api/admin/users', { json: anna })).status).toBe(200);
    const input = () => Promise.resolve('the new password\n');
    const { code, out } = await run('reset-password Anna --stdin', { input });
    expect([code, out]).toEqual([0, 'The password of "anna" is changed.']);
    expect(await signIn('anna', 'the new password')).toBe(200);
    expect((await admin('/api/admin/users')).status).toBe(200);
  });

  test.skipIf(onPostgres())('reports why it is not possible', async () => {
    expect(await run('reset-password nobody')).toMatchObject({
      code: 1,
      error: 'There is no user "nobody". There are: admin.',
    });
    const input = () => Promise.resolve('short');
    expect(await run('reset-password --stdin', { input })).toMatchObject({
      code: 1,
      error: 'A password has at least 8 characters.',
    });
    const lines = () => Promise.resolve('a password\nand a note\n');
    expect(await run('reset-password --stdin', { input: lines })).toMatchObject({
      code: 1,
      error: expect.stringContaining('one line'),
    });
    const elsewhere = { ...installation(), dataDirectory: join(folder, 'missing') };
    expect(await run('reset-password', { installation: () => elsewhere })).toMatchObject({
      code: 1,
      error: expect.stringContaining('DATA_DIR'),
    });
    await writeFiles(elsewhere.dataDirectory, { 'knowhow.sqlite': 'no database'.repeat(500) });
    expect(await run('reset-password', { installation: () => elsewhere })).toMatchObject({
      code: 1,
      error: expect.stringMatching(/is damaged\. Move knowhow\.sqlite and .*-wal, -shm/),
    });
    const reset = await run('reset-password', { installation: () => installation('set for good') });
    expect(reset).toMatchObject({
      code: 0,
      error: expect.stringContaining('ADMIN_PASSWORD is set'),
    });
  });
});

describe('backup and restore', () => {
  const app = () => join(folder, 'contents/apps/chat.json');
  let file: string;
  beforeEach(async () => {
    file = join(await temporaryFolder(), 'knowhow.zip');
  });

  test('restores configuration, users and conversations', async () => {
    const before = await readFile(app(), 'utf8');
    const admin = await signInAdmin(server);
    await takeTurn(admin, { message: 'Remember this' });
    const { code, out } = await run(`backup ${file} --data`);
    expect([code, out]).toEqual([0, `${file}: ${(await stat(file)).size} bytes`]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    await server.close();
    await rm(join(folder, 'data'), { recursive: true });
    await rm(join(folder, 'contents/skills'), { recursive: true });
    await writeFile(app(), before.replace('You are helpful.', 'You are not.'));
    const restored = await run(`restore ${file} --yes`);
    expect(restored).toMatchObject({ code: 0, error: '' });
    expect(restored.out).toMatch(/changed +contents\/apps\/chat\.json/);
    expect(restored.out).toMatch(/\nRestored\. .*snapshot \S+/);
    await restart();

    expect(await readFile(app(), 'utf8')).toBe(before);
    const again = await signInAdmin(server);
    const answer = again('/api/conversations');
    const { items } = await parseAnswer(conversationsApi.list.response, answer);
    expect(items.map(({ title }) => title)).toEqual(['Remember this']);
    expect((await again('/api/skills/meeting-notes')).status).toBe(200);
  });

  test('backup names each file that it leaves out, with the reason', async () => {
    const skill = join(folder, 'contents/skills/meeting-notes');
    await writeFile(join(skill, 'old\\notes.md'), 'Written by a Windows program.');
    await symlink('/nowhere', join(skill, 'broken.md'));
    const { code, out, error } = await run(`backup ${file}`);
    expect([code, out]).toEqual([0, `${file}: ${(await stat(file)).size} bytes`]);
    const prefix = 'Left out: contents/skills/meeting-notes/';
    expect(error).toContain(`${prefix}old\\notes.md: The path contains a backslash`);
    expect(error).toContain(`${prefix}broken.md: It is a link that leads out`);
  });

  test('a restore of apps publishes no edit of a skill that waits for a review', async () => {
    const reviewed = { settings: { publishing: { files: 'review' } } };
    await writeFiles(join(folder, 'contents'), { 'config/skills.json': reviewed });
    await server.close();
    await restart();
    const admin = await signInAdmin(server);
    const status = async () => (await admin('/api/admin/status')).text();
    await waitFor(async () => (await status()).includes('"files":"review"'));
    await run(`backup ${file}`);
    await server.close();
    const edit = skillFile('meeting-notes', 'Changed by hand.');
    await writeFiles(join(folder, 'contents/skills'), { 'meeting-notes/SKILL.md': edit });
    const restored = await run(`restore ${file} --only apps --yes`);
    expect(restored).toMatchObject({ code: 0, error: '' });
    await restart();
    const again = await signInAdmin(server);
    const draft = '/api/skill-drafts/meeting-notes';
    await waitFor(async () => (await again(draft)).status === 200);
    const shown = await (await again('/api/admin/skills/meeting-notes')).text();
    expect(shown).toContain('Turns notes into decisions.');
  });

  test('rejects a restore while a server runs, but allows a dry run', async () => {
    await run(`backup ${file}`);
    await writeFile(app(), (await readFile(app(), 'utf8')).replace('helpful', 'idle'));
    const refused = await run(`restore ${file} --yes`);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toMatch(
      /^A server runs .*\/admin\/backup.*\n.*by another process: \d+ on /,
    );
    const seen = await run(`restore ${file} --dry-run`);
    expect(seen).toMatchObject({ code: 0, error: '' });
    expect(seen.out).toContain('0 files added, 1 changed, 0 removed');
    expect(await readFile(app(), 'utf8')).toContain('idle');
  });

  test('asks for a confirmation word before restoring', async () => {
    await run(`backup ${file} --only apps`);
    await server.close();
    await writeFile(app(), (await readFile(app(), 'utf8')).replace('helpful', 'idle'));
    expect(await run(`restore ${file}`)).toMatchObject({
      code: 2,
      error: expect.stringContaining('--yes'),
    });
    const answered = (word: string) => run(`restore ${file}`, { ask: async () => word });
    expect((await answered('yes')).out).toMatch(/\nNothing was restored\.$/);
    expect(await readFile(app(), 'utf8')).toContain('idle');
    expect((await answered('restore')).out).toMatch(/\nRestored\./);
    expect(await readFile(app(), 'utf8')).toContain('helpful');
    await restart();
  });

  test.skipIf(onPostgres())(
    'creates an administrator on a new machine, unless the backup has one',
    async () => {
      await run(`backup ${file}`);
      const elsewhere = await temporaryFolder();
      const fresh = () => ({
        ...installation(),
        contentsDirectory: join(elsewhere, 'contents'),
        dataDirectory: join(elsewhere, 'data'),
      });
      const restored = await run(`restore ${file} --yes`, { installation: fresh });
      expect(restored).toMatchObject({ code: 0, error: '' });
      expect(restored.out).toMatch(/administrator was made: name "admin", password "\S{20}"/);
      await run(`backup ${file} --data`);
      await rm(join(elsewhere, 'data'), { recursive: true });
      const seen = await run(`restore ${file} --dry-run`, { installation: fresh });
      expect(seen).toMatchObject({ code: 0, error: '' });
      expect(seen.out).not.toContain('administrator was made');
      expect(await readdir(elsewhere)).toEqual(['contents']);
      const again = await run(`restore ${file} --yes`, { installation: fresh });
      expect(again.out).toContain('Restored.');
      expect(again.out).not.toContain('administrator was made');
    },
  );

  test('may expose more environment variables to files when restored on the machine itself', async () => {
    const platform = join(folder, 'contents/config/platform.json');
    const before = await readFile(platform, 'utf8');
    await writeFile(platform, JSON.stringify({ placeholders: ['COMPANY_NAME'] }));
    await run(`backup ${file}`);
    await writeFile(platform, before);
    await server.close();
    expect(await run(`restore ${file} --yes`)).toMatchObject({ code: 0, error: '' });
    expect(await readFile(platform, 'utf8')).toContain('COMPANY_NAME');
    await restart();
  });

  test('shows the password of a created administrator even if the restore fails', async () => {
    const elsewhere = await temporaryFolder();
    await writeFile(file, 'no zip');
    const its = await createTestDatabase(join(elsewhere, 'data'));
    const fresh = () => ({ ...installation(), ...its });
    const failed = await run(`restore ${file} --yes`, { installation: fresh });
    expect(failed.code).toBe(1);
    expect(failed.out).toMatch(/administrator was made: name "admin", password "\S{20}"/);
  });

  test('reports errors in one line', async () => {
    expect(await run('restore nowhere.zip --yes')).toMatchObject({
      code: 1,
      error: 'There is no file nowhere.zip.',
    });
    await symlink('loop.zip', join(folder, 'loop.zip'));
    expect((await run(`restore ${join(folder, 'loop.zip')}`)).error).toMatch(
      /^The file .+loop\.zip cannot be read\. The system reports ELOOP\./,
    );
    await writeFile(file, 'no zip');
    expect(await run(`restore ${file} --dry-run`)).toMatchObject({ code: 1, out: '' });
    expect(await run(`backup ${folder}`)).toMatchObject({
      code: 1,
      error: expect.stringContaining('is a folder'),
    });
    const elsewhere = { ...installation(), contentsDirectory: join(folder, 'missing') };
    expect(await run(`backup ${file}`, { installation: () => elsewhere })).toMatchObject({
      code: 1,
      error: expect.stringContaining('CONTENTS_DIR'),
    });
    await mkdir(elsewhere.contentsDirectory);
    expect(await run(`backup ${file}`, { installation: () => elsewhere })).toMatchObject({
      code: 1,
      error: expect.stringContaining('There is no configuration in'),
    });
    expect(await readFile(file, 'utf8')).toBe('no zip');
    expect(await run('backup')).toMatchObject({
      code: 2,
      error: expect.stringContaining('knowhow backup FILE'),
    });
  });
});
