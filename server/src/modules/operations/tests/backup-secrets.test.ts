import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { afterEach, expect, test } from 'vitest';
import { exportBackup, importBackup, readFileTree } from '../../../testing/backup-calls.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { writeFiles } from '../../../testing/write-files.ts';

let server: TestServer;
afterEach(() => server.close());

async function start() {
  server = await startTestServer();
  return { contents: join(server.folder, 'contents'), admin: await signInAdmin(server) };
}

const textsIn = (zip: Buffer) =>
  new AdmZip(zip)
    .getEntries()
    .map((entry) => entry.getData().toString('latin1'))
    .join('\n');

const model = { id: 'keyed', modelId: 'm', name: 'Größe', provider: 'local', tokenLimit: 'none' };
const keyed = {
  'models/keyed.json': { ...model, apiKey: 'sk-LEAKME-1', apiKeyEnv: 'SOME', token: '${A_TOKEN}' },
  'apps/more/deep.JSON': { list: [{ clientSecret: 'sk-LEAKME-2' }], größe: { token: 'LEAKME-3' } },
  'config/sso.json': '\uFEFF{"credentials":\r\n"sk-LEAKME-4" }',
  'config/below.json': { apiKeys: ['sk-LEAKME-5'], privateKey: { pem: 'sk-LEAKME-7' } },
  'prompts/latin1.json': Buffer.from('{"name":"\xe9","api_key":"sk-LEAKME-6"}', 'latin1'),
};
const withheld = [
  ['contents/apps/more/deep.JSON', ['list.0.clientSecret', 'größe.token']],
  ['contents/config/below.json', ['apiKeys.0', 'privateKey.pem']],
  ['contents/config/sso.json', ['credentials']],
  ['contents/models/keyed.json', ['apiKey']],
  ['contents/prompts/latin1.json', ['api_key']],
];

test('a backup contains no keys, and restoring it immediately changes nothing', async () => {
  const { contents, admin } = await start();
  await writeFiles(contents, keyed);
  const before = await readFileTree(contents);

  const zip = await exportBackup(admin);

  expect(textsIn(zip)).not.toContain('LEAKME');
  const manifest = JSON.parse(new AdmZip(zip).readAsText('manifest.json')) as {
    withheld: { path: string; fields: string[] }[];
  };
  expect(manifest.withheld.map(({ path, fields }) => [path, fields])).toEqual(withheld);
  const exported = new AdmZip(zip).readAsText('contents/models/keyed.json');
  const text = JSON.stringify(keyed['models/keyed.json'], null, 2);
  expect(exported).toBe(text.replace('sk-LEAKME-1', ''));

  const { plan } = await importBackup(admin, zip, '?only=apps,models,config');

  expect(plan).toMatchObject({ added: 0, changed: 0, removed: 0 });
  expect(plan.warnings.filter((text) => text.includes('withheld'))).toEqual([]);
  expect(await readFileTree(contents)).toEqual(before);
});

test('a restore changes the rest of a file, and keeps the current keys in it', async () => {
  const { contents, admin } = await start();
  const file = join(contents, 'models/keyed.json');
  await writeFiles(contents, {
    'models/keyed.json': { ...model, auth: { apiKey: 'old', secret: 's' } },
  });
  const zip = await exportBackup(admin, '?only=models');
  const now = { ...model, name: 'Renamed', auth: { apiKey: 'sk-"new"' } };
  await writeFile(file, JSON.stringify(now));

  const dry = await importBackup(admin, zip, '?dryRun=true');
  expect(dry.plan).toMatchObject({ added: 0, changed: 1, removed: 0 });
  const { plan } = await importBackup(admin, zip);

  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    ...model,
    auth: { apiKey: 'sk-"new"', secret: '' },
  });
  expect(plan.warnings).toEqual([
    expect.stringContaining('contents/models/keyed.json: "auth.secret" was withheld'),
  ]);
});

test('if the file no longer exists, the plan lists what will be empty', async () => {
  const { contents, admin } = await start();
  await writeFiles(contents, { 'models/keyed.json': { ...model, apiKey: 'sk-LEAKME' } });
  const zip = await exportBackup(admin);
  await rm(join(contents, 'models/keyed.json'));

  const { plan } = await importBackup(admin, zip);
  const apps = await importBackup(admin, zip, '?dryRun=true&only=apps');

  expect(plan.warnings).toEqual([expect.stringContaining('"apiKey" was withheld')]);
  expect(apps.plan.warnings).toEqual([]);
  const restored = await readFile(join(contents, 'models/keyed.json'), 'utf8');
  expect(JSON.parse(restored)).toEqual({ ...model, apiKey: '' });
});

test('no key is sent to another vendor at the same list position', async () => {
  const { contents, admin } = await start();
  const google = { name: 'google', clientSecret: 'of-google' };
  const vendors = [google, { name: 'azure', clientSecret: 'of-azure' }];
  await writeFiles(contents, { 'config/sso.json': { vendors } });
  const zip = await exportBackup(admin, '?only=config');
  const now = [{ name: 'new', clientSecret: 'of-new' }, ...vendors];
  await writeFiles(contents, { 'config/sso.json': { vendors: now } });

  const { plan } = await importBackup(admin, zip);

  const restored = await readFile(join(contents, 'config/sso.json'), 'utf8');
  expect(JSON.parse(restored)).toEqual({
    vendors: vendors.map((vendor) => ({ ...vendor, clientSecret: '' })),
  });
  expect(plan.warnings).toEqual([
    expect.stringContaining('"vendors.0.clientSecret" was withheld'),
    expect.stringContaining('"vendors.1.clientSecret" was withheld'),
  ]);
});

test('a file that cannot be searched for keys is omitted from backups, and kept', async () => {
  const { contents, admin } = await start();
  await writeFiles(contents, {
    'config/broken.json': '{"list": [1, "token": "sk-LEAKME", ',
    'config/deep.json': '['.repeat(1_000_000) + ']'.repeat(1_000_000),
    'config/wide.json': Buffer.from('{"apiKey": "sk-LEAKME"}', 'utf16le'),
  });
  const before = await readFileTree(contents);
  const zip = await exportBackup(admin);
  expect(textsIn(zip).replaceAll('\0', '')).not.toContain('LEAKME');
  const { plan } = await importBackup(admin, zip);
  expect(plan).toMatchObject({ added: 0, changed: 0, removed: 0 });
  expect(plan.warnings).toEqual([
    expect.stringMatching(
      /broken.json is not in the backup .*It is not valid JSON and seems to hold/,
    ),
    expect.stringMatching(/deep.json is not in the backup .*It is nested too deeply/),
    expect.stringMatching(
      /wide.json is not in the backup .*It is not valid JSON and seems to hold/,
    ),
  ]);
  expect(await readFileTree(contents)).toEqual(before);
});

test("editors' leftover files next to the configuration leak no keys", async () => {
  const { contents, admin } = await start();
  const swap = Buffer.concat([Buffer.from('b0VIM 8.2\0\0'), Buffer.from('"apiKey": "sk-LEAKME"')]);
  await writeFiles(contents, {
    'models/old.json.bak': '{"id": "old", "apiKey": "sk-LEAKME"}',
    'apps/old.json~': '{"token": "sk-LEAKME"',
    'prompts/.old.json.swp': swap,
    'config/platform.json.orig': '{"password": "sk-LEAKME"}',
    'skills/meeting-notes/a.json.bak': '{"token": "of the skill"}',
  });
  const before = await readFileTree(contents);

  const zip = await exportBackup(admin);
  const { plan } = await importBackup(admin, zip);

  expect(textsIn(zip)).not.toContain('LEAKME');
  expect(textsIn(zip)).toContain('of the skill');
  expect(plan).toMatchObject({ added: 0, changed: 0, removed: 0 });
  expect(plan.warnings).toEqual([
    expect.stringContaining('apps/old.json~ is not in the backup and stays'),
    expect.stringContaining('prompts/.old.json.swp is not in the backup and stays'),
  ]);
  expect(await readFileTree(contents)).toEqual(before);
});

test('the audit log contains no keys', async () => {
  const { contents, admin } = await start();
  const put = (json: unknown) => admin('/api/admin/models/keyed', { method: 'PUT', json });
  expect((await put({ ...model, apiKey: 'sk-LEAKME-1' })).status).toBe(200);
  expect((await put({ ...model, auth: { token: 'sk-LEAKME-2' } })).status).toBe(200);
  await writeFiles(contents, { 'prompts/summary.json': '{"apiKey": "sk-LEAKME-3",' });
  const prompt = { id: 'summary', name: 'S', prompt: 'P' };
  await admin('/api/admin/prompts/summary', { method: 'PUT', json: prompt });

  const audit = await (await admin('/api/admin/audit')).text();

  expect(audit).toContain('"apiKey":"***"');
  expect(audit).not.toContain('LEAKME');
});
