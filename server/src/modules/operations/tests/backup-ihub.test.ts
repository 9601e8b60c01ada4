import { join } from 'node:path';
import bcrypt from 'bcryptjs';
import { afterEach, expect, test } from 'vitest';
import {
  createZip,
  importBackup,
  readFileTree,
  sendBackup,
} from '../../../testing/backup-calls.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  adminPassword,
  startTestServer,
  type TestServer,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
afterEach(() => server.close());

/** iHub's format: bcrypt of the user's ID and the password, concatenated. */
const hashOf = (id: string, password: string) => bcrypt.hashSync(`${id}:${password}`, 4);

const everything = { apps: ['*'], models: ['*'], prompts: ['*'] };

/** A backup as iHub exports it. */
function ihubFiles() {
  const user = (id: string, username: string, more: object) => ({
    [id]: { id, username, email: `${username}@example.org`, name: username, active: true, ...more },
  });
  return {
    'backup-metadata.json': { backupDate: '2026-08-01T10:00:00.000Z', version: '1.0' },
    'contents/.encryption-key': 'a key that stays where it is',
    'contents/.jwt-private-key.pem': 'another key',
    'contents/apps/translator.json': {
      id: 'translator',
      enabled: true,
      order: 3,
      name: { en: 'Translator', de: 'Übersetzer' },
      system: { en: 'You translate.', de: 'Du übersetzt.' },
      preferredModel: 'gemini-pro',
      variables: [{ name: 'language', type: 'string' }],
    },
    'contents/models/gemini-pro.json': {
      id: 'gemini-pro',
      modelId: 'gemini-pro',
      name: { en: 'Gemini Pro' },
      url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-pro:streamGenerateContent',
      provider: 'google',
      thinking: { enabled: true, budget: -1, thoughts: true },
      apiKey: 'ENC[AES256_GCM,data:abc,iv:def,tag:ghi,type:str]',
      default: true,
    },
    'contents/models/house.json': {
      id: 'house',
      modelId: 'house',
      name: { en: 'House' },
      provider: 'iassistant',
    },
    'contents/prompts/summarize.json': {
      id: 'summarize',
      name: { en: 'Summarize' },
      prompt: { en: 'Summarize: {{content}}' },
    },
    'contents/skills/minutes/SKILL.md': skillFile('minutes', 'Writes minutes of a meeting.'),
    'contents/config/groups.json': {
      groups: {
        admins: { id: 'admins', name: 'Admins', permissions: { ...everything, adminAccess: true } },
        users: { id: 'users', name: 'Users', permissions: everything, mappings: ['Staff'] },
      },
      metadata: { version: '1.0.0' },
    },
    'contents/config/skills.json': { skills: { minutes: { enabled: true, directory: 'minutes' } } },
    'contents/config/users.json': {
      users: {
        ...user('user_1', 'Grace', {
          internalGroups: ['admins'],
          passwordHash: hashOf('user_1', 'correct horse'),
          createdAt: '2025-07-19T00:00:00.000Z',
        }),
        ...user('user_2', 'alan', {
          groups: ['users'],
          active: false,
          passwordHash: hashOf('user_2', 'battery staple'),
        }),
        ...user('user_3', 'ada', { internalGroups: [], authMethods: ['oidc'] }),
        ...user('user_4', 'admin', {
          internalGroups: ['admins'],
          passwordHash: hashOf('user_4', 'the admin of iHub'),
        }),
        broken: { name: 'Nobody' },
      },
      metadata: { version: '2.0.0' },
    },
    'contents/config/platform.json': { auth: { mode: 'local' }, rateLimit: { default: {} } },
    'contents/config/ui.json': { title: { en: 'iHub' } },
    'contents/pages/en/faq.md': '# FAQ',
  };
}

async function signIn(username: string, password: string): Promise<number> {
  const response = await server.visitor()('/api/auth/login', { json: { username, password } });
  return response.status;
}

async function passwordHashes(): Promise<Record<string, string | null>> {
  const database = await openTestDatabase(join(server.folder, 'data'));
  const users = await database.selectFrom('users').select(['username', 'password_hash']).execute();
  await database.destroy();
  return Object.fromEntries(users.map(({ username, password_hash }) => [username, password_hash]));
}

test('an iHub backup brings apps, models, prompts, groups, skills and users', async () => {
  server = await startTestServer();
  const admin = await signInAdmin(server);
  await admin('/api/admin/users', { json: { username: 'stays', name: 'Stays', groups: [] } });
  const zip = createZip(ihubFiles());

  const { plan } = await importBackup(admin, zip, '?dryRun=true');

  expect(plan).toMatchObject({ format: 'ihub', refused: [], data: { users: 4 } });
  expect(plan.chosen).toEqual([
    'apps',
    'models',
    'prompts',
    'config/groups.json',
    'config/skills.json',
    'skills',
    'data',
  ]);
  expect(plan.notUsed.map(({ path }) => path).sort()).toEqual([
    'backup-metadata.json',
    'contents/.encryption-key',
    'contents/.jwt-private-key.pem',
    'contents/config/platform.json',
    'contents/config/ui.json',
    'contents/config/users.json#broken',
    'contents/models/house.json',
    'contents/pages/en/faq.md',
  ]);
  expect(plan.warnings).toEqual([
    expect.stringContaining('ada'),
    expect.stringMatching(/gemini-pro\.json: "apiKey" is encrypted/),
    expect.stringContaining('No group in it is given any skills'),
    expect.stringMatching(/become those of the backup.*: admin\./),
  ]);

  const { restored } = await importBackup(admin, zip);

  expect(restored).toBe(true);
  const files = Object.keys(await readFileTree(join(server.folder, 'contents')));
  expect(files).toEqual([
    'apps/translator.json',
    'config/groups.json',
    'config/platform.json',
    'config/skills.json',
    'models/gemini-pro.json',
    'prompts/summarize.json',
    'skills/minutes/SKILL.md',
  ]);
  // Users with the same name get another password, so their sessions end.
  expect((await admin('/api/admin/users')).status).toBe(401);
  await admin('/api/auth/login', { json: { username: 'admin', password: 'the admin of iHub' } });
  const { items } = (await (await admin('/api/admin/users')).json()) as {
    items: { username: string; groups: string[]; disabled: boolean }[];
  };
  expect(items.map(({ username, groups, disabled }) => [username, groups, disabled])).toEqual([
    ['ada', [], false],
    ['admin', ['admins'], false],
    ['alan', ['users'], true],
    ['grace', ['admins'], false],
    ['stays', [], false],
  ]);
});

test('iHub users sign in with their password, which is then rehashed', async () => {
  server = await startTestServer();
  const admin = await signInAdmin(server);
  await importBackup(admin, createZip(ihubFiles()));
  expect((await passwordHashes()).grace).toMatch(/^ihub:user_1:\$2/);

  expect(await signIn('grace', 'wrong horse')).toBe(401);
  expect((await passwordHashes()).grace).toMatch(/^ihub:/);
  expect(await signIn('Grace', 'correct horse')).toBe(200);
  expect((await passwordHashes()).grace).toMatch(/^\$2/);
  expect(await signIn('grace', 'correct horse')).toBe(200);
  expect(await signIn('grace', 'user_1:correct horse')).toBe(401);

  expect(await signIn('admin', adminPassword)).toBe(401);
  expect(await signIn('admin', 'the admin of iHub')).toBe(200);
  expect(await signIn('alan', 'battery staple')).toBe(401);
  expect(await signIn('ada', '')).toBe(400);
});

test('users whose password changes are signed out', async () => {
  server = await startTestServer();
  const admin = await signInAdmin(server);
  await importBackup(admin, createZip(ihubFiles()));
  expect(await (await admin('/api/auth/me')).json()).toMatchObject({ anonymous: true });

  const grace = server.visitor();
  const json = { username: 'grace', password: 'correct horse' };
  expect((await grace('/api/auth/login', { json })).status).toBe(200);
  const users = { user_5: { id: 'user_5', username: 'eve', name: 'Eve' } };
  await importBackup(grace, createZip({ ...ihubFiles(), 'contents/config/users.json': { users } }));
  expect(await (await grace('/api/auth/me')).json()).toMatchObject({ name: 'Grace' });
});

test('the replaced state can be restored, including users', async () => {
  server = await startTestServer();
  const before = await readFileTree(join(server.folder, 'contents'));
  const { snapshot } = await importBackup(await signInAdmin(server), createZip(ihubFiles()));
  const admin = server.visitor();
  const json = { username: 'admin', password: 'the admin of iHub' };
  expect((await admin('/api/auth/login', { json })).status).toBe(200);

  const path = `/api/admin/backup/snapshots/${snapshot}/restore`;
  expect((await admin(path, { method: 'POST' })).status).toBe(200);

  expect(await readFileTree(join(server.folder, 'contents'))).toEqual(before);
  expect(await signIn('admin', adminPassword)).toBe(200);
  expect(await signIn('grace', 'correct horse')).toBe(401);
});

test('rejects an iHub backup without usable contents', async () => {
  server = await startTestServer();
  const admin = await signInAdmin(server);
  const zip = createZip({ 'backup-metadata.json': {}, 'contents/models/x.json': { id: 'x' } });
  const { code, detail } = await parseProblem(sendBackup(admin, zip));
  expect(code).toBe('invalid-request');
  expect(detail).toContain('does not hold anything to restore');
});

test('rejects an iHub backup with a password hash that is too expensive, by name', async () => {
  server = await startTestServer();
  const admin = await signInAdmin(server);
  const passwordHash = hashOf('user_9', 'x').replace('$04$', '$20$');
  const users = { user_9: { id: 'user_9', username: 'Mallory', passwordHash } };
  const zip = createZip({ ...ihubFiles(), 'contents/config/users.json': { users } });
  const { code, detail } = await parseProblem(sendBackup(admin, zip));
  expect(code).toBe('invalid-archive');
  expect(detail).toContain('"Mallory"');
});
