import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { archiveReportSchema, installedSchema } from '@knowhow/shared/skills/skill-archives';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { importToken, postArchive, validateUpload } from '../../../testing/upload-archive.ts';
import { writeArchive } from '../../skills/archives/write-archive.ts';

let server: TestServer;
let admin: Visitor;

beforeEach(async () => {
  server = await startTestServer();
  admin = await signInAdmin(server);
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

function archive(name: string): Promise<Buffer> {
  const bytes = Buffer.from(skillFile(name, 'Does something. Use when asked.'));
  return writeArchive(name, [{ path: 'SKILL.md', bytes, executable: false }], 'zip');
}

const names = async (response: Response) =>
  (await parseAnswer(installedSchema, response)).installed.map(({ name }) => name);

async function expectExpired(response: Promise<Response>): Promise<void> {
  const { code, detail } = await parseProblem(response);
  expect(code).toBe('upload-expired');
  expect(detail).toContain('Upload the archive again');
}

async function anotherAdmin(): Promise<Visitor> {
  const { password = '' } = await parseAnswer(
    adminUsersApi.create.response,
    admin('/api/admin/users', { json: { username: 'ada', name: 'Ada', groups: ['admins'] } }),
  );
  const ada = server.visitor();
  await ada('/api/auth/login', { json: { username: 'ada', password } });
  return ada;
}

test('a validated upload is installed by its token, once', async () => {
  const token = await validateUpload(admin, await archive('pdf-forms'));
  expect(await names(await importToken(admin, token))).toEqual(['pdf-forms']);
  expect((await admin('/api/skills/pdf-forms')).status).toBe(200);
  await expectExpired(importToken(admin, token, '?overwrite=true'));
});

test('two concurrent imports do not share a token', async () => {
  const token = await validateUpload(admin, await archive('pdf-forms'));
  const answers = await Promise.all([importToken(admin, token), importToken(admin, token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410]);
});

test('a rejected import leaves the token usable', async () => {
  const token = await validateUpload(admin, await archive('meeting-notes'));
  expect((await parseProblem(importToken(admin, token))).code).toBe('name-taken');
  const renamed = await importToken(admin, token, '?rename=meeting-notes:minutes');
  expect(await names(renamed)).toEqual(['minutes']);
});

test('a token takes a selection that is too long for a query', async () => {
  const token = await validateUpload(admin, await archive('pdf-forms'));
  const importWith = (selection: Record<string, unknown>) =>
    postArchive(admin, 'import', JSON.stringify({ token, ...selection }), 'application/json');
  const wrong = await parseProblem(importWith({ select: 'pdf-forms' }));
  expect([wrong.code, wrong.detail]).toEqual([
    'invalid-request',
    'select: This must be a list, not a text.',
  ]);
  const unknown = await parseProblem(importWith({ select: ['pdf-forms', 'letters'] }));
  expect(unknown.detail).toContain('Not in the archive: letters.');
  const select = Array.from({ length: 5000 }, () => 'pdf-forms');
  const rename = ['pdf-forms:forms'];
  expect(await names(await importWith({ select, rename }))).toEqual(['forms']);
});

test('a token is useless to another administrator, and so is a made-up one', async () => {
  const ada = await anotherAdmin();
  const token = await validateUpload(admin, await archive('pdf-forms'));
  await expectExpired(importToken(ada, token));
  await expectExpired(importToken(admin, 'made-up'));
  expect((await importToken(admin, token)).status).toBe(200);
});

test('a token is valid for ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const token = await validateUpload(admin, await archive('pdf-forms'));
  const other = await validateUpload(admin, await archive('letters'));
  vi.setSystemTime(Date.now() + 9 * 60_000);
  expect((await importToken(admin, token)).status).toBe(200);
  vi.setSystemTime(Date.now() + 61_000);
  await expectExpired(importToken(admin, other));
});

test('signing out and a restart invalidate all tokens', async () => {
  const first = await validateUpload(admin, await archive('pdf-forms'));
  await admin('/api/auth/logout', { method: 'POST' });
  admin = await signInAdmin(server);
  await expectExpired(importToken(admin, first));
  const second = await validateUpload(admin, await archive('pdf-forms'));
  await server.close();
  server = await startTestServer({ folder: server.folder });
  admin = await signInAdmin(server);
  await expectExpired(importToken(admin, second));
});

test('a user has four at a time: the oldest is evicted, and no one else loses one', async () => {
  const ada = await anotherAdmin();
  const hers = await validateUpload(ada, await archive('hers'));
  const tokens: string[] = [];
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    tokens.push(await validateUpload(admin, await archive(name)));
  }
  const [first = '', ...others] = tokens;
  await expectExpired(importToken(admin, first));
  for (const token of others) {
    expect((await importToken(admin, token)).status).toBe(200);
  }
  expect((await importToken(ada, hers)).status).toBe(200);
});

test('an installed skill and a typed text have no token', async () => {
  const byName = postArchive(admin, 'validate', '{"name": "meeting-notes"}', 'application/json');
  expect(await parseAnswer(archiveReportSchema, byName)).not.toHaveProperty('token');
  const typed = postArchive(admin, 'validate?folder=a', skillFile('a', 'Typed.'), 'text/markdown');
  expect(await parseAnswer(archiveReportSchema, typed)).not.toHaveProperty('token');
});
