import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { backupApi } from '@knowhow/shared/config/backup';
import { healthApi } from '@knowhow/shared/config/health';
import AdmZip from 'adm-zip';
import { afterEach, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

let server: TestServer;
afterEach(() => server.close());

async function start(directory: string, data = 'false') {
  const [BACKUP_DIR, BACKUP_CRON, BACKUP_DATA] = [directory, '* * * * * *', data];
  server = await startTestServer({ environment: { BACKUP_DIR, BACKUP_CRON, BACKUP_DATA } });
}
const ready = () => parseAnswer(healthApi.ready.response, fetch(`${server.url}/api/ready`));

test('a scheduled backup is complete, and readiness and the admin pages report it', async () => {
  const directory = await temporaryFolder();
  await start(directory, 'true');
  await waitFor(async () => (await ready()).backup?.lastAt !== undefined);
  expect((await ready()).backup?.status).toBe('ok');
  const admin = await signInAdmin(server);
  const { schedule } = await parseAnswer(backupApi.state.response, admin('/api/admin/backup'));
  expect(schedule).toMatchObject({ cron: '* * * * * *', next: expect.stringMatching(/Z$/) });
  expect(await readdir(directory)).toContain(schedule?.last?.file);
  const zip = new AdmZip(join(directory, schedule?.last?.file ?? ''));
  const names = zip.getEntries().map(({ entryName }) => entryName);
  expect(names).toEqual(
    expect.arrayContaining(['manifest.json', 'contents/apps/chat.json', 'data/users.jsonl']),
  );
});

test('readiness reports no backup as ok before the first one', async () => {
  const environment = { BACKUP_DIR: await temporaryFolder(), BACKUP_CRON: '0 3 1 1 *' };
  server = await startTestServer({ environment });
  expect((await ready()).backup).toEqual({ status: 'pending' });
});

test('a failure shows in readiness, with its reason for admins only', async () => {
  const folder = await temporaryFolder();
  await writeFiles(folder, { file: 'in the way' });
  await start(join(folder, 'file/backups'));
  expect((await ready()).backup).toEqual({ status: 'failed' });
  const admin = await signInAdmin(server);
  const { schedule } = await parseAnswer(backupApi.state.response, admin('/api/admin/backup'));
  // The folder at startup, or already the first backup.
  expect(schedule?.error).toMatch(/file\/backups\S* cannot be written/);
});

test.each<[string, (contents: string) => Promise<unknown>]>([
  ['is missing', () => Promise.resolve()],
  ['is empty', (contents) => mkdir(contents)],
  [
    'has no configuration',
    (contents) => writeFiles(contents, { 'pages/a.md': 'A', 'apps.txt': '' }),
  ],
])('when contents/ %s, none is created, and the good ones stay', async (_name, prepare) => {
  const [directory, folder] = [await temporaryFolder(), await temporaryFolder()];
  await writeFiles(directory, { 'knowhow-20200101-000000.zip': 'a good one' });
  await prepare(join(folder, 'contents'));
  const [BACKUP_DIR, BACKUP_CRON, BACKUP_KEEP] = [directory, '* * * * * *', '1'];
  server = await startTestServer({
    folder,
    environment: { BACKUP_DIR, BACKUP_CRON, BACKUP_KEEP },
  });

  await waitFor(async () => (await ready()).backup?.status === 'failed');

  expect(await readdir(directory)).toEqual(['knowhow-20200101-000000.zip']);
});

test('without a schedule, neither mentions it', async () => {
  server = await startTestServer();
  expect(await ready()).not.toHaveProperty('backup');
  const admin = await signInAdmin(server);
  expect(await (await admin('/api/admin/backup')).json()).not.toHaveProperty('schedule');
});
