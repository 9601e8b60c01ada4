import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { skillDetailSchema } from '@knowhow/shared/skills/skills';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

const onDisk = (path: string) => readFile(join(server.folder, 'contents/skills', path), 'utf8');
const detail = (response: Response | Promise<Response>) =>
  parseAnswer(adminSkillDetailSchema, response);
const get = (name: string) => detail(admin(`/api/admin/skills/${name}`));
const write = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  admin(`/api/admin/skills/${path}`, { method: 'PUT', body, headers });
const listVersions = async (name: string) => {
  const { response } = skillVersionsApi.list;
  return (await parseAnswer(response, admin(`/api/skill-versions/${name}`))).items;
};

describe('a file', () => {
  test('is written, read, renamed and removed', async () => {
    const written = await write(
      'meeting-notes/files/assets/deep/logo.bin',
      new Uint8Array([0, 1, 2]),
    );
    expect(written.status).toBe(200);
    expect((await detail(written)).fileList.map(({ path }) => path)).toEqual([
      'SKILL.md',
      'assets/deep/logo.bin',
      'references/format.md',
    ]);
    const read = await admin('/api/admin/skills/meeting-notes/files/assets/deep/logo.bin');
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(new Uint8Array([0, 1, 2]));
    expect(read.headers.get('content-disposition')).toContain('attachment');
    const moved = await admin('/api/admin/skills/meeting-notes/move', {
      json: { from: 'assets/deep/logo.bin', to: 'logo.bin' },
    });
    expect(moved.status).toBe(200);
    const removed = await admin('/api/admin/skills/meeting-notes/files/logo.bin', {
      method: 'DELETE',
    });
    expect((await detail(removed)).files).toBe(2);
  });

  test('can be uploaded as a form', async () => {
    const form = new FormData();
    form.append('file', new Blob(['Hello.']), 'any name.txt');
    const encoded = new Response(form);
    const response = await write(
      'meeting-notes/files/hello.txt',
      new Uint8Array(await encoded.arrayBuffer()),
      { 'Content-Type': encoded.headers.get('content-type') ?? '' },
    );
    expect(response.status).toBe(200);
    expect(await onDisk('meeting-notes/hello.txt')).toBe('Hello.');
  });

  test.each([
    ['..%2F..%2Fconfig%2Fskills.json', 400],
    ['a%5Cb.txt', 400],
    ['con.txt', 400],
    ['%00.txt', 400],
    [`${'x'.repeat(300)}.txt`, 400],
    ['references', 409],
  ])('must not be named %s', async (path, status) => {
    const response = await write(`meeting-notes/files/${path}`, 'x');
    expect(response.status).toBe(status);
  });

  test('must not differ from another only in case or accents', async () => {
    const put = (path: string) => write(`release-notes/files/${encodeURIComponent(path)}`, 'x');
    const move = (from: string, to: string) =>
      admin('/api/admin/skills/release-notes/move', { json: { from, to } });
    for (const path of ['x.txt', 'Straße/é.md', 'single.md']) {
      expect((await put(path)).status).toBe(200);
    }
    for (const [refused, [one, other]] of [
      [put('X.TXT'), ['X.TXT', 'x.txt']],
      [put('skill.md'), ['skill.md', 'SKILL.md']],
      [put('Straße/E\u0301.md'), ['Straße/E\u0301.md', 'Straße/é.md']],
      [put('STRASSE/other.md'), ['STRASSE', 'Straße']],
      [put('X.txt/deep.md'), ['X.txt', 'x.txt']],
      [move('single.md', 'X.txt'), ['X.txt', 'x.txt']],
      [move('single.md', 'Skill.md'), ['Skill.md', 'SKILL.md']],
    ] as const) {
      const response = await refused;
      expect(response.status).toBe(409);
      const { issues, detail } = await parseProblem(response);
      expect(issues?.[0]?.code).toBe('name-collision');
      expect(detail).toContain(`"${one}" differs from "${other}"`);
    }
    expect((await put('x.txt')).status).toBe(200);
    expect((await put('Straße/other.md')).status).toBe(200);
    expect((await move('single.md', 'Single.md')).status).toBe(200);
    const exported = await admin('/api/admin/skills/release-notes/export');
    const again = await admin('/api/admin/skills/validate', {
      method: 'POST',
      body: new Uint8Array(await exported.arrayBuffer()),
      headers: { 'Content-Type': 'application/zip' },
    });
    expect(again.status).toBe(200);
  });

  test('of more than 4 MiB is rejected', async () => {
    const response = await write(
      'meeting-notes/files/big.bin',
      new Uint8Array(4 * 1024 * 1024 + 1),
    );
    expect(response.status).toBe(413);
  });

  test('is not overwritten if someone changed it meanwhile', async () => {
    const { checksum } = await get('release-notes');
    await writeFile(join(server.folder, 'contents/skills/release-notes/todo.md'), 'By an editor.');
    const headers = { 'If-Match': `"${checksum}"` };
    const refused = await write('release-notes/files/todo.md', 'By an admin.', headers);
    expect(refused.status).toBe(412);
    expect(await onDisk('release-notes/todo.md')).toBe('By an editor.');
    const again = { 'If-Match': `"${(await get('release-notes')).checksum}"` };
    expect((await write('release-notes/files/todo.md', 'By an admin.', again)).status).toBe(200);
  });

  test('edited by two admins concurrently is saved for only one', async () => {
    const { checksum } = await get('release-notes');
    const headers = { 'If-Match': `"${checksum}"` };
    const both = await Promise.all([
      write('release-notes/files/one.md', 'one', headers),
      write('release-notes/files/two.md', 'two', headers),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });
});

describe('SKILL.md', () => {
  test('takes effect with the next question', async () => {
    const text = '---\nname: meeting-notes\ndescription: Says it again.\n---\n\nDo it.\n';
    const response = await write('meeting-notes/files/SKILL.md', text);
    expect((await detail(response)).description).toBe('Says it again.');
    const seen = await parseAnswer(skillDetailSchema, admin('/api/skills/meeting-notes'));
    expect(seen.description).toBe('Says it again.');
  });

  test.each([
    ['without a description', '---\nname: meeting-notes\n---\n\nDo it.\n', 'description-missing'],
    ['in a format other than YAML', '---js\n{}\n---\n\nDo it.\n', 'frontmatter-engine-refused'],
    ['that is empty', '', 'unreadable'],
  ])('cannot be broken: %s', async (_what, text, code) => {
    const before = await onDisk('meeting-notes/SKILL.md');
    const response = await write('meeting-notes/files/SKILL.md', text);
    expect(response.status).toBe(400);
    expect((await parseProblem(response)).issues?.[0]?.code).toBe(code);
    expect(await onDisk('meeting-notes/SKILL.md')).toBe(before);
  });

  test('with existing issues can still be saved, and fixed', async () => {
    await mkdir(join(server.folder, 'contents/skills/old'));
    const path = join(server.folder, 'contents/skills/old/SKILL.md');
    await writeFile(path, '---\nname: Old One\ndescription: Old.\nversion: 1.0\n---\n\nDo it.\n');
    await expect.poll(async () => (await get('old')).name).toBe('old');
    const saved = await write(
      'old/files/SKILL.md',
      '---\nname: Old One\ndescription: Older.\nversion: 1.0\n---\n\nDo it.\n',
    );
    expect(saved.status).toBe(200);
    const fix = (code: string) => detail(admin('/api/admin/skills/old/fix', { json: { code } }));
    expect((await get('old')).diagnostics).toMatchObject([
      { code: 'name-invalid', fixable: true },
      { code: 'name-directory-mismatch', fixable: true },
      { code: 'unknown-field', fixable: true },
    ]);
    await fix('name-invalid');
    expect(await fix('unknown-field')).toMatchObject({ diagnostics: [], valid: true });
    expect(await onDisk('old/SKILL.md')).toContain('metadata:\n  version: "1.0"\n');
    const json = { code: 'body-long' };
    const nothing = await parseProblem(admin('/api/admin/skills/old/fix', { json }));
    expect(nothing.code).toBe('conflict');
  });

  test('cannot be deleted: a skill is deleted as a whole', async () => {
    const response = await admin('/api/admin/skills/old/files/SKILL.md', { method: 'DELETE' });
    expect(response.status).toBe(409);
  });
});

describe('versions', () => {
  test('say who did what, are compared, and are restored', async () => {
    await admin('/api/admin/skills', {
      json: { name: 'told', description: 'Has a past.', body: 'Line one.\n' },
    });
    const first = await onDisk('told/SKILL.md');
    await write('told/files/SKILL.md', first.replace('Line one.', 'Line two.'));
    await writeFile(join(server.folder, 'contents/skills/told/note.txt'), 'From outside.');
    await write('told/files/more.txt', 'More.');
    const versions = await listVersions('told');
    expect(versions.map(({ action }) => action)).toEqual([
      'file-written',
      'found',
      'file-written',
      'created',
    ]);
    expect(versions[0]).toMatchObject({
      author: 'Admin',
      summary: 'more.txt',
      files: 3,
      isCurrent: true,
      origin: { kind: 'api' },
    });
    expect(versions[1]).toMatchObject({ origin: { kind: 'file-system' } });
    expect(versions[1]?.author).toBeUndefined();
    const { changes } = await parseAnswer(
      skillVersionsApi.diff.response,
      admin('/api/skill-versions/told/2/diff'),
    );
    expect(changes).toMatchObject([{ path: 'SKILL.md', change: 'changed' }]);
    expect(changes[0]?.hunks?.[0]?.lines).toEqual(
      expect.arrayContaining(['-Line one.', '+Line two.']),
    );
    const restored = await admin('/api/skill-versions/told/1/restore', { method: 'POST' });
    expect(restored.status).toBe(200);
    expect(await onDisk('told/SKILL.md')).toBe(first);
    expect((await get('told')).files).toBe(1);
  });

  test('restores a deleted skill', async () => {
    const before = await get('told');
    const stale = await admin('/api/admin/skills/told', {
      method: 'DELETE',
      headers: { 'If-Match': '"old"' },
    });
    expect(stale.status).toBe(412);
    const response = await admin('/api/admin/skills/told', { method: 'DELETE' });
    const { restorable } = await parseAnswer(adminSkillsApi.remove.response, response);
    expect((await admin('/api/admin/skills/told')).status).toBe(404);
    expect((await listVersions('told'))[0]).toMatchObject({ action: 'deleted' });
    await admin(`/api/skill-versions/told/${restorable}/restore`, { method: 'POST' });
    expect(await get('told')).toMatchObject({ checksum: before.checksum, status: 'on' });
  });

  test('an unknown version is not restored', async () => {
    const response = await admin('/api/skill-versions/told/99/restore', { method: 'POST' });
    expect(response.status).toBe(404);
  });
});

test('a skill with too many files can be reduced and deleted, but not grow', async () => {
  const folder = join(server.folder, 'contents/skills/heap');
  await mkdir(folder);
  await writeFile(join(folder, 'SKILL.md'), '---\nname: heap\ndescription: Has many files.\n---\n');
  await Promise.all(
    Array.from({ length: 520 }, (_, at) => writeFile(join(folder, `${at}.txt`), `${at}`)),
  );
  await vi.waitFor(async () => expect((await get('heap')).files).toBe(521), { timeout: 15_000 });

  expect((await write('heap/files/1.txt', 'other')).status).toBe(200);
  expect((await parseProblem(write('heap/files/new.txt', 'more'))).code).toBe('too-large');
  const exported = await parseProblem(admin('/api/admin/skills/heap/export'));
  expect(exported).toMatchObject({ code: 'too-large', detail: expect.stringContaining('512') });
  const removed = await admin('/api/admin/skills/heap/files/2.txt', { method: 'DELETE' });
  expect((await detail(removed)).files).toBe(520);
  expect((await admin('/api/admin/skills/heap', { method: 'DELETE' })).status).toBe(200);
});
