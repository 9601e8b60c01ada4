import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installedSchema } from '@knowhow/shared/skills/skill-archives';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { uploadTimeout } from '../../../platform/http/limit-bodies.ts';
import { reservedDisk } from '../../../platform/http/read-upload-to-file.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { rawRequest, requestText } from '../../../testing/raw-request.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { adminCookie, signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  defaultFiles,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder } from '../../operations/recover-restore.ts';
import { writeArchive } from '../../skills/archives/write-archive.ts';

let server: TestServer;
let admin: Visitor;

beforeEach(async () => {
  const permissions = { apps: ['*'], models: ['*'], skillRights: { author: ['*'] } };
  const authors = { id: 'authors', name: 'Authors', permissions };
  const groups = { ...defaultFiles['config/groups.json'].groups, authors };
  server = await startTestServer({ files: { 'config/groups.json': { groups } } });
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

function archive(name: string): Promise<Buffer> {
  const bytes = Buffer.from(skillFile(name, 'Does something. Use when asked.'));
  return writeArchive(name, [{ path: 'SKILL.md', bytes, executable: false }], 'zip');
}

/** The start of a large body. */
function beginUpload(path: string, cookie: string) {
  const headers = [`Cookie: ${cookie}`, 'Content-Type: application/zip'];
  const head = requestText(`POST ${path}`, [...headers, 'Content-Length: 400000000']);
  return rawRequest(server.url, `${head}PK`);
}

const importPath = '/api/admin/skills/import';
const storedUploads = async () => {
  const files = await readdir(temporaryFolder(join(server.folder, 'data')));
  return files.filter((name) => name.endsWith('.upload'));
};

test('twenty slow uploads of one administrator do not keep others from importing or restoring', async () => {
  const { cookie } = await signInNew(server, admin, { username: 'ada', groups: ['admins'] });
  const slow = Array.from({ length: 20 }, () => beginUpload(importPath, cookie));
  await waitFor(() => slow.filter(({ heard }) => heard.includes(' 429 ')).length === 17);
  const refused = slow.find(({ heard }) => heard !== '');
  expect(refused?.heard).toContain('Retry-After: ');
  expect(refused?.heard).toContain('3 large uploads of yours are already running.');
  expect(await storedUploads()).toHaveLength(1);

  const small = postArchive(admin, 'import', await archive('pdf-forms'), 'application/zip');
  expect((await parseAnswer(installedSchema, small)).installed).toHaveLength(1);
  const backup = await admin('/api/admin/backup/export?data=false');
  const plan = await admin('/api/admin/backup/import?dryRun=true', {
    method: 'POST',
    body: new Uint8Array(await backup.arrayBuffer()),
    headers: { 'Content-Type': 'application/zip' },
  });
  expect(plan.status).toBe(200);

  for (const { socket } of slow) {
    socket.destroy();
  }
  await waitFor(async () => (await storedUploads()).length === 0);
});

test('an upload that takes too long is a problem, and leaves no file', async () => {
  server.app.http.set(uploadTimeout, 300);
  const answer = await beginUpload(importPath, await adminCookie(server)).ended;
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('"code":"too-slow","detail":"The upload did not arrive within 1 s.');
  await waitFor(async () => (await storedUploads()).length === 0);
});

test('a small upload that takes too long is a problem', async () => {
  server.app.http.set(uploadTimeout, 300);
  const headers = [`Cookie: ${await adminCookie(server)}`, 'Content-Length: 1000'];
  const head = requestText('PUT /api/admin/skills/meeting-notes/files/a.md', headers);
  expect(await rawRequest(server.url, `${head}One`).ended).toMatch(/^HTTP\/1\.1 408 /);
  expect((await admin('/api/admin/skills/meeting-notes/files/a.md')).status).toBe(404);
});

test('an upload for which the disk has no room is refused before it is sent', async () => {
  server.app.http.set(reservedDisk, Number.MAX_SAFE_INTEGER);
  const { ended } = beginUpload(importPath, await adminCookie(server));
  expect(await ended).toContain('"code":"not-writable","detail":"The disk of the data folder');
});

test('an archive of an author without the right to import is refused before it is sent', async () => {
  const { cookie } = await signInNew(server, admin, { username: 'bob', groups: ['authors'] });
  const answer = await beginUpload('/api/admin/skills/validate', cookie).ended;
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test('uploads that are cut off at once leave no file', async () => {
  const cookie = await adminCookie(server);
  for (let count = 0; count < 30; count += 1) {
    const { socket } = beginUpload(importPath, cookie);
    await new Promise((resolve) => socket.once('connect', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
  }
  await waitFor(async () => (await storedUploads()).length === 0);
  const next = postArchive(admin, 'import', await archive('pdf-forms'), 'application/zip');
  expect((await next).status).toBe(200);
});
