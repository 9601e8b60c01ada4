import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skillHistoryApi, skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import AdmZip from 'adm-zip';
import { expect, onTestFinished, test, vi } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { defaultFiles, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';

async function start(files: Record<string, string | Uint8Array> = {}) {
  const server = await startTestServer({ files: { ...defaultFiles, ...files } });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const folder = join(server.folder, 'contents/skills');
  return { server, admin, folder, ...doors(admin) };
}

function doors(admin: Visitor) {
  const { list, get, diff } = skillVersionsApi;
  return {
    list: (name: string, query = '') =>
      parseAnswer(list.response, admin(`/api/skill-versions/${name}${query}`)),
    get: (path: string) => parseAnswer(get.response, admin(`/api/skill-versions/${path}`)),
    diff: (path: string) => parseAnswer(diff.response, admin(`/api/skill-versions/${path}`)),
    text: async (path: string) => (await admin(`/api/skill-versions/${path}`)).text(),
    create: (name: string) =>
      admin('/api/admin/skills', { json: { name, description: 'Is told.', body: 'One.\n' } }),
    write: (path: string, body: string, headers: Record<string, string> = {}) =>
      admin(`/api/admin/skills/${path}`, { method: 'PUT', body, headers }),
    restore: (path: string) =>
      admin(`/api/skill-versions/${path}/restore?message=Back`, { method: 'POST' }),
  };
}

const skillText = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Is told.\n---\n${body}\n`;

test('a write may say what changed, and the version says where it came from', async () => {
  const { server, admin, list, create, write } = await start();
  await create('told');
  await write('told/files/a.md?message=Adds%20a%20list', 'A.');
  await write('told/files/b.md', 'B.', { origin: server.url });
  await admin('/api/admin/skills/told/move?message=Clearer', {
    json: { from: 'a.md', to: 'list.md' },
  });
  const form = new FormData();
  form.append('file', new Blob([skillText('told', 'Two.')]), 'told.md');
  const encoded = new Response(form);
  await admin('/api/admin/skills/import?overwrite=true&message=From%20Ann', {
    method: 'POST',
    body: new Uint8Array(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  });

  const { items } = await list('told');
  expect(items.map(({ message, action, origin }) => [message, action, origin.kind])).toEqual([
    ['From Ann', 'imported', 'import'],
    ['Clearer', 'file-moved', 'api'],
    ['', 'file-written', 'page'],
    ['Adds a list', 'file-written', 'api'],
    ['', 'created', 'api'],
  ]);
  expect(items[0]?.origin).toEqual({ kind: 'import', detail: 'told.md' });
  const long = await parseProblem(write(`told/files/c.md?message=${'x'.repeat(1001)}`, 'C.'));
  expect(long.code).toBe('invalid-request');
});

test('the list is read in pages', async () => {
  const { list, create, write } = await start();
  await create('told');
  for (const text of ['1', '2', '3', '4']) {
    await write('told/files/a.md', text);
  }
  const first = await list('told', '?limit=2');
  expect(first).toMatchObject({ total: 5, items: [{ number: 5, isCurrent: true }, { number: 4 }] });
  const second = await list('told', `?limit=2&cursor=${first.nextCursor}`);
  expect(second.items.map(({ number, isCurrent }) => [number, isCurrent])).toEqual([
    [3, false],
    [2, false],
  ]);
  const third = await list('told', `?limit=2&cursor=${second.nextCursor}`);
  expect(third.items.map(({ number }) => number)).toEqual([1]);
  expect(third.nextCursor).toBeUndefined();
});

test('a version has files, and two versions are compared', async () => {
  const { admin, get, diff, text, create, write, folder } = await start();
  await create('told');
  await write('told/files/a.md', 'Same content.');
  await write('told/files/old.md', 'Old.');
  await writeFile(join(folder, 'told/logo.bin'), new Uint8Array([0, 1, 2]));
  await write('told/files/SKILL.md', skillText('told', 'Two.'));
  await admin('/api/admin/skills/told/move', { json: { from: 'a.md', to: 'b.md' } });
  await admin('/api/admin/skills/told/files/old.md', { method: 'DELETE' });

  const { version, files } = await get('told/3');
  expect(version).toMatchObject({ number: 3, files: 3, isCurrent: false });
  expect(files.map(({ path }) => path)).toEqual(['SKILL.md', 'a.md', 'old.md']);
  expect(files[1]).toEqual({ path: 'a.md', size: 13, executable: false });
  expect(await text('told/3/files/old.md')).toBe('Old.');
  const { from, to, changes } = await diff('told/7/diff?from=3');
  expect([from?.number, to.number]).toEqual([3, 7]);
  expect(changes.map(({ path, change, pathBefore }) => [path, change, pathBefore])).toEqual([
    ['SKILL.md', 'changed', undefined],
    ['b.md', 'renamed', 'a.md'],
    ['logo.bin', 'added', undefined],
    ['old.md', 'removed', undefined],
  ]);
  expect(changes[0]?.hunks?.[0]?.lines).toEqual(expect.arrayContaining(['-One.', '+Two.']));
  expect(changes[2]?.hunks).toBeUndefined();
  expect((await diff('told/1/diff')).changes).toMatchObject([{ change: 'added' }]);
});

test('a version is restored as a new one', async () => {
  const { list, text, create, write, restore, admin } = await start();
  await create('told');
  await write('told/files/a.md', 'A.');
  expect((await restore('told/1')).status).toBe(200);

  const { items } = await list('told');
  expect(items[0]).toMatchObject({
    number: 3,
    origin: { kind: 'restore', detail: '1' },
    message: 'Back',
    isCurrent: true,
  });
  expect(items[0]?.digest).toBe(items[2]?.digest);
  expect(await text('told/3/files/SKILL.md')).toContain('One.');
  const stale = await admin('/api/skill-versions/told/2/restore', {
    method: 'POST',
    headers: { 'if-match': '"old"' },
  });
  expect(stale.status).toBe(412);
});

test.each([
  ['GET', '/99', 404],
  ['GET', '/99/diff', 404],
  ['GET', '/1/diff?from=99', 404],
  ['GET', '/1/files/none.md', 404],
  ['GET', '/99/files/SKILL.md', 404],
  ['POST', '/99/restore', 404],
  ['GET', '/0', 400],
  ['GET', '/one', 400],
  ['GET', '?cursor=x', 400],
  ['GET', '?limit=1000', 400],
])('%s of %s is refused with %d', async (method, rest, status) => {
  const { admin, create } = await start();
  await create('told');
  expect((await admin(`/api/skill-versions/told${rest}`, { method })).status).toBe(status);
});

test('the history lists the same versions, and restores one', async () => {
  const { admin, create, write, text } = await start();
  await create('told');
  await write('told/files/a.md', 'A.');
  const history = await parseAnswer(
    skillHistoryApi.history.response,
    admin('/api/admin/skills/told/history'),
  );
  expect(history.items).toMatchObject([
    { number: 2, action: 'file-written', summary: 'a.md', by: 'Admin', current: true },
    { number: 1, action: 'created', current: false },
  ]);
  const path = '/api/admin/skills/told/history';
  const restored = await admin(`${path}/1/restore`, { method: 'POST' });
  expect(restored.status).toBe(200);
  expect(await text('told/3/files/a.md')).toContain('not-found');
  expect((await admin(`${path}/9/restore`, { method: 'POST' })).status).toBe(404);
});

test('an unknown skill has no versions, a deleted one has', async () => {
  const { admin, list, create } = await start();
  expect((await admin('/api/skill-versions/none')).status).toBe(404);
  await create('told');
  await admin('/api/admin/skills/told?message=Outdated', { method: 'DELETE' });
  const { items } = await list('told');
  expect(items.map(({ action, message, isCurrent }) => [action, message, isCurrent])).toEqual([
    ['deleted', 'Outdated', false],
    ['created', '', false],
  ]);
});

test('an edit in the file system becomes a version while the server runs', async () => {
  const { server, list, folder, create } = await start();
  await create('told');
  const path = join(folder, 'told/SKILL.md');
  // Asking the server would record the change.
  const database = await openTestDatabase(join(server.folder, 'data'));
  onTestFinished(() => database.destroy());
  for (const [count, body] of [
    [2, 'By hand.'],
    [3, 'By hand, again.'],
  ] as const) {
    await writeFile(path, skillText('told', body));
    const rows = () =>
      database.selectFrom('skill_versions').select('origin').orderBy('number', 'desc').execute();
    await vi.waitFor(async () => expect(await rows()).toHaveLength(count), { timeout: 15_000 });
    expect((await rows())[0]).toEqual({ origin: 'file-system' });
  }
  expect((await list('told')).items[0]?.author).toBeUndefined();
});

test('a folder that is renamed keeps its versions', async () => {
  const { list, folder, create, write } = await start();
  await create('told');
  await write('told/files/a.md', 'A.');
  await rename(join(folder, 'told'), join(folder, 'retold'));
  await vi.waitFor(
    async () => expect((await list('retold')).items.map(({ number }) => number)).toEqual([2, 1]),
    { timeout: 15_000 },
  );
});

test('a changed plugin gets versions of its skills', async () => {
  const plugin = (body: string) => skillText('stylist', body);
  const { list, restore, server } = await start({
    'plugins/style/.claude-plugin/plugin.json': JSON.stringify({ name: 'style' }),
    'plugins/style/skills/stylist/SKILL.md': plugin('One.'),
  });
  expect((await list('stylist')).items).toMatchObject([
    { number: 1, origin: { kind: 'plugin', detail: 'style' }, isCurrent: true },
  ]);
  const path = join(server.folder, 'contents/plugins/style/skills/stylist/SKILL.md');
  await writeFile(path, plugin('Two.'));
  await vi.waitFor(async () => expect((await list('stylist')).total).toBe(2), { timeout: 15_000 });
  expect((await parseProblem(restore('stylist/1'))).code).toBe('read-only');
});

test('the setting says how many versions are kept', async () => {
  const { list, create, write } = await start({
    'config/skills.json': JSON.stringify({ settings: { versions: { keep: 2 } } }),
  });
  await create('told');
  await write('told/files/a.md', '1');
  await write('told/files/a.md', '2');
  expect((await list('told')).items.map(({ number }) => number)).toEqual([3, 2]);
});

test('a backup with data contains the versions, and restores them', async () => {
  const { admin, list, text, create, write } = await start();
  await create('told');
  await write('told/files/a.md?message=Adds%20A', 'A.');
  const backup = await exportBackup(admin, '?data=true');
  await write('told/files/a.md', 'B.');
  await create('later');

  await importBackup(admin, backup);

  expect((await list('told')).items.map(({ number, message }) => [number, message])).toEqual([
    [2, 'Adds A'],
    [1, ''],
  ]);
  expect(await text('told/2/files/a.md')).toBe('A.');
  expect((await admin('/api/skill-versions/later')).status).toBe(404);
});

test('restoring a backup without data keeps the versions that exist', async () => {
  const { admin, list, create, write } = await start();
  await create('told');
  const backup = await exportBackup(admin, '');
  await write('told/files/a.md', 'A.');

  await importBackup(admin, backup);

  const { items } = await list('told');
  expect(items.map(({ number }) => number)).toEqual([3, 2, 1]);
  expect(items[0]).toMatchObject({ origin: { kind: 'file-system' }, isCurrent: true });
  expect(items[0]?.digest).toBe(items[2]?.digest);
});

test('a backup lists the tables of versions', async () => {
  const { admin, create } = await start();
  await create('told');
  const zip = new AdmZip(await exportBackup(admin, '?data=true'));
  expect(zip.getEntries().map(({ entryName }) => entryName)).toEqual(
    expect.arrayContaining([
      'data/skills.jsonl',
      'data/skill_versions.jsonl',
      'data/skill_blobs.jsonl',
      'data/skill_blob_uses.jsonl',
    ]),
  );
});
