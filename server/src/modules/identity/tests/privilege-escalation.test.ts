import type { AdminRight } from '@knowhow/shared/access/admin-rights';
import { authApi } from '@knowhow/shared/access/auth';
import { api } from '@knowhow/shared/api';
import { adminSettingsApi } from '@knowhow/shared/config/admin-settings';
import { problemSchema } from '@knowhow/shared/problem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createZip, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;
let plain: SignedIn;

const rights: AdminRight[] = [
  'settings',
  'groups',
  'users',
  'keys',
  'skills',
  'apps',
  'models',
  'prompts',
  'tools',
];
const groups = {
  admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
  staff: { id: 'staff', name: 'Staff', permissions: { apps: ['*'] } },
  heirs: { id: 'heirs', name: 'Heirs', inherits: ['admins'] },
  ...Object.fromEntries(
    rights.map((right) => [
      right,
      { id: right, name: right, permissions: { adminAccess: [right] } },
    ]),
  ),
};
const platform = {
  rateLimit: { requests: 0, failedLogins: 0 },
  authenticatedGroups: ['staff'],
  placeholders: ['LISTED'],
};
const environment = {
  KNOWHOW_GROUP: 'admins',
  LISTED: 'admins',
  SECRET_KEY: 'LEAKMELEAKMELEAKMELEAKMELEAKMELEAKMELEAKMEA=',
  KNOWHOW_API_TOKEN: 'LEAKME-2',
  KNOWHOW_LINK: 'postgres://user:LEAKME-3@db/x',
};

beforeEach(async () => {
  const files = { 'config/platform.json': platform, 'config/groups.json': { groups } };
  server = await startTestServer({ environment, files });
  admin = await signInAdmin(server);
  plain = await signInNew(server, admin, { username: 'plain', groups: ['staff'] });
});
afterEach(() => server.close());

/** All of these are the group `admins`, or inherit from it, once resolved. */
const asAdmins = [
  'admins',
  'heirs',
  '${KNOWHOW_NOT_SET:-admins}',
  '${KNOWHOW_GROUP}',
  '${LISTED}',
  '${LISTED:-staff}',
  'ad${KNOWHOW_NOT_SET:-mins}',
  '${SECRET_KEY:-admins}',
  '${HOME:-heirs}',
];
const unknown = [
  'ghost',
  '__proto__',
  'constructor',
  'toString',
  'Admins',
  'admins ',
  ' admins',
  'аdmins',
  'ａdmins',
  'admins\u200b',
  '',
  '*',
  '${SECRET_KEY}',
  '${KNOWHOW_API_TOKEN}',
  '${KNOWHOW_LINK}',
  '${KNOWHOW_NOT_SET}',
  '${KNOWHOW_NOT_SET:-ghost}',
  '${${KNOWHOW_GROUP}}',
];

interface Field {
  right: AdminRight;
  /** The field that the rejection names. */
  path: string;
  send: (visitor: Visitor, group: string) => Promise<Response>;
  /** The request is not a configuration: placeholders in it are plain text. */
  isPlain?: true;
}

const put = (visitor: Visitor, path: string, json: object) =>
  visitor(`/api/admin/${path}`, { method: 'PUT', json });
const post = (visitor: Visitor, path: string, json: object) =>
  visitor(`/api/admin/${path}`, { json });

const fields: Field[] = [
  {
    right: 'settings',
    path: 'authenticatedGroups.1',
    send: (visitor, group) =>
      put(visitor, 'settings/platform', { ...platform, authenticatedGroups: ['staff', group] }),
  },
  {
    right: 'groups',
    path: 'inherits.0',
    send: (visitor, group) => put(visitor, 'groups/mine', { name: 'Mine', inherits: [group] }),
  },
  {
    right: 'users',
    path: 'groups.1',
    isPlain: true,
    send: (visitor, group) => put(visitor, `users/${plain.id}`, { groups: ['staff', group] }),
  },
  {
    right: 'users',
    path: 'groups.0',
    isPlain: true,
    send: (visitor, group) =>
      post(visitor, 'users', { username: 'new', name: 'New', groups: [group] }),
  },
  {
    right: 'users',
    path: 'groups.0',
    isPlain: true,
    send: (visitor, group) =>
      post(visitor, 'invitations', { note: 'For me', groups: [group], expiresInDays: 1 }),
  },
  {
    right: 'keys',
    path: 'groups.0',
    isPlain: true,
    send: (visitor, group) =>
      post(visitor, 'keys', { name: 'Mine', scopes: ['chat'], groups: [group] }),
  },
];

const rightsOf = async (visitor: Visitor) =>
  (await parseAnswer(authApi.me.response, visitor('/api/auth/me'))).adminRights ?? [];

async function memberWith(right: AdminRight): Promise<Visitor> {
  return (await signInNew(server, admin, { username: `only-${right}`, groups: [right] })).visitor;
}

async function expectNoMoreRights(visitor: Visitor, right: AdminRight): Promise<void> {
  expect(await rightsOf(visitor)).toEqual([right]);
  expect(await rightsOf(plain.visitor)).toEqual([]);
  expect(await rightsOf(server.visitor())).toEqual([]);
  expect((await visitor('/api/admin/backup/export?data=true')).status).toBe(403);
}

test.each(fields)('$right: rejects a group of administrators in $path', async (field) => {
  const { right, send, isPlain } = field;
  const visitor = await memberWith(right);
  for (const group of asAdmins) {
    const answer = await send(visitor, group);
    const isName = !group.includes('$');
    expect([group, answer.status]).toEqual([group, isPlain && !isName ? 400 : 403]);
  }
  await expectNoMoreRights(visitor, right);
});

test.each(fields)('$right: rejects an unknown group in $path', async (field) => {
  const { right, path, send, isPlain } = field;
  const visitor = await memberWith(right);
  for (const group of unknown) {
    const answer = await send(visitor, group);
    const text = await answer.text();
    expect([group, answer.status, text]).toEqual([group, 400, expect.not.stringMatching('LEAKME')]);
    const { issues = [] } = problemSchema.parse(JSON.parse(text));
    expect(issues[0]).toMatchObject({ path, code: 'unknown-group' });
    const filled = group
      .replace('${KNOWHOW_NOT_SET:-ghost}', 'ghost')
      .replace('${KNOWHOW_GROUP}', 'admins');
    expect(issues[0]?.message).toContain(`"${isPlain ? group : filled}"`);
  }
  await expectNoMoreRights(visitor, right);
});

test.each<Omit<Field, 'path'> & { name: string; status: number[] }>([
  {
    name: 'groups of guests',
    right: 'settings',
    status: [200, 400],
    send: (visitor, group) =>
      put(visitor, 'settings/platform', {
        ...platform,
        anonymousAuth: { enabled: true, defaultGroups: [group] },
      }),
  },
  {
    name: 'groups of a provider',
    right: 'settings',
    status: [400],
    send: (visitor, group) =>
      put(visitor, 'settings/platform', {
        ...platform,
        oidcAuth: { providers: [{ name: 'x', defaultGroups: [group] }] },
      }),
  },
  {
    name: 'groups of a proxy',
    right: 'settings',
    status: [400],
    send: (visitor, group) =>
      put(visitor, 'settings/platform', { ...platform, proxyAuth: { defaultGroups: [group] } }),
  },
  {
    name: 'variables that files may read',
    right: 'settings',
    status: [400],
    send: (visitor, group) =>
      put(visitor, 'settings/platform', { ...platform, placeholders: ['LISTED', group] }),
  },
  {
    name: 'what the server reaches',
    right: 'settings',
    status: [400, 403],
    send: (visitor, group) =>
      put(visitor, 'settings/platform', { ...platform, outbound: { allowPrivate: [group] } }),
  },
  {
    name: 'settings below a prototype key',
    right: 'settings',
    status: [200, 400],
    send: (visitor, group) =>
      visitor('/api/admin/settings/platform', {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: `{"__proto__":{"authenticatedGroups":["${group}"]},"authenticatedGroups":["staff"],"placeholders":["LISTED"],"rateLimit":{"requests":0}}`,
      }),
  },
  {
    name: 'where skills are read',
    right: 'settings',
    status: [400],
    send: (visitor, group) =>
      put(visitor, 'settings/skills', { skillsDirectory: group, sources: [{ path: group }] }),
  },
  {
    name: 'the rights of a group',
    right: 'groups',
    status: [400, 403],
    send: (visitor, group) =>
      put(visitor, 'groups/groups', {
        name: 'Groups',
        permissions: { adminAccess: ['groups', group] },
      }),
  },
  {
    name: 'the rights of a group as one word',
    right: 'groups',
    status: [400, 403],
    send: (visitor, group) =>
      put(visitor, 'groups/staff', { name: 'Staff', permissions: { adminAccess: group } }),
  },
  {
    name: 'the groups that see a skill',
    right: 'skills',
    status: [200, 400],
    send: (visitor, group) => put(visitor, 'skills/meeting-notes', { groups: [group] }),
  },
  {
    name: 'the groups of a trial',
    right: 'skills',
    status: [200, 400],
    send: (visitor, group) => post(visitor, 'try-as', { app: 'chat', groups: [group] }),
  },
  {
    name: 'rights in an app',
    right: 'apps',
    status: [200, 400],
    send: (visitor, group) =>
      put(visitor, 'apps/chat', {
        name: group,
        groups: [group],
        permissions: { adminAccess: true },
      }),
  },
  {
    name: 'rights in a prompt',
    right: 'prompts',
    status: [200, 400],
    send: (visitor, group) =>
      put(visitor, 'prompts/mine', { name: group, prompt: group, groups: [group] }),
  },
  {
    name: 'rights in a model',
    right: 'models',
    status: [200, 400],
    send: (visitor, group) =>
      put(visitor, 'models/mine', {
        ...{ name: group, modelId: group, provider: group, groups: [group] },
        adminAccess: true,
      }),
  },
  {
    name: 'a group that names another one in its file',
    right: 'groups',
    status: [400],
    send: (visitor, group) => put(visitor, 'groups/mine', { id: group, name: 'Mine' }),
  },
  {
    name: 'prototype keys in a group',
    right: 'groups',
    status: [200, 400],
    send: (visitor, group) =>
      visitor('/api/admin/groups/groups', {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: `{"name":"Groups","__proto__":{"inherits":["${group}"],"permissions":{"adminAccess":true}},"permissions":{"adminAccess":["groups"],"__proto__":{"adminAccess":true}}}`,
      }),
  },
  {
    name: 'a group of that name',
    right: 'groups',
    status: [200, 400, 403, 404, 405],
    send: (visitor, group) =>
      put(visitor, `groups/${encodeURIComponent(group)}`, {
        name: group,
        mappings: ['everyone'],
        permissions: { adminAccess: ['groups'] },
      }),
  },
  {
    name: 'the groups of a directory',
    right: 'groups',
    status: [200],
    send: (visitor, group) =>
      put(visitor, 'groups/mine', { name: 'Mine', mappings: [group || 'x'], adminAccess: true }),
  },
  {
    name: 'the key of a provider',
    right: 'models',
    status: [204, 400],
    send: (visitor, group) =>
      put(visitor, 'provider-keys/KNOWHOW_NOT_SET_API_KEY', { key: group || 'x' }),
  },
  {
    name: 'a variable that is no key of a provider',
    right: 'models',
    status: [400],
    send: (visitor, group) => put(visitor, 'provider-keys/KNOWHOW_GROUP', { key: group || 'x' }),
  },
  {
    name: 'the decision on a tool',
    right: 'tools',
    status: [400],
    send: (visitor, group) =>
      put(visitor, 'tools/ask_user', { enabled: true, groups: [group], adminAccess: true }),
  },
  {
    name: 'a profile',
    right: 'users',
    status: [400],
    send: (visitor, group) =>
      put(visitor, `users/${plain.id}`, { name: group, adminRights: ['*'], isAdmin: true }),
  },
])('$right: no user gains permissions by $name', async ({ right, send, status }) => {
  const visitor = await memberWith(right);
  for (const group of [...asAdmins, ...unknown]) {
    const answer = await send(visitor, group);
    const text = await answer.text();
    expect([group, status.includes(answer.status), text]).toEqual([group, true, expect.anything()]);
    expect(text).not.toContain('LEAKME');
    expect(await rightsOf(visitor)).toEqual([right]);
  }
  await expectNoMoreRights(visitor, right);
  const seen = await Promise.all(
    ['/api/apps', '/api/prompts', '/api/models', '/api/auth/me'].map(async (path) =>
      (await plain.visitor(path)).text(),
    ),
  );
  expect(seen.join()).not.toContain('LEAKME');
});

test('skills: an archive with a configuration changes no group', async () => {
  const visitor = await memberWith('skills');
  const all = { admins: { name: 'Admins', permissions: { adminAccess: true }, mappings: ['x'] } };
  const config = {
    groups: { ...all, skills: { name: 'S', permissions: { adminAccess: true } } },
    authenticatedGroups: ['admins'],
  };
  const before = await (await admin('/api/admin/groups')).text();
  for (const folder of ['config', 'contents/config', '../config', 'tidy-up/../../config']) {
    const body = createZip({
      [`${folder}/groups.json`]: config,
      [`${folder}/platform.json`]: config,
      'tidy-up/SKILL.md': '---\nname: tidy-up\ndescription: Tidies up.\n---\nTidy up.',
    });
    const headers = { 'Content-Type': 'application/zip' };
    const answer = await visitor('/api/admin/skills/upload', { method: 'POST', headers, body });
    expect(answer.status).toBeLessThan(500);
    await expectNoMoreRights(visitor, 'skills');
  }
  expect(await (await admin('/api/admin/groups')).text()).toBe(before);
});

test.each(['settings', 'users', 'groups', 'apps', 'models', 'tools', 'skills'] as const)(
  '%s: neither restores a backup, nor changes an administrator',
  async (right) => {
    const visitor = await memberWith(right);
    const { id } = await parseAnswer(authApi.me.response, admin('/api/auth/me'));
    const body = createZip({ 'contents/config/groups.json': { groups } });
    const headers = { 'Content-Type': 'application/zip' };
    const answers = await Promise.all([
      visitor('/api/admin/backup/import', { method: 'POST', headers, body }),
      put(visitor, `users/${id}`, { disabled: true }),
      put(visitor, `users/${id}`, { groups: [] }),
      post(visitor, `users/${id}/reset-password`, { password: 'another long password' }),
      visitor(`/api/admin/users/${id}/second-factor`, { method: 'DELETE' }),
      post(visitor, `users/${id}/move-sign-in`, { to: plain.id }),
      post(visitor, `users/${plain.id}/move-sign-in`, { to: id }),
      put(visitor, 'groups/admins', { name: 'Admins', mappings: ['x'] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(403));
    await expectNoMoreRights(visitor, right);
  },
);

test('settings can never leave the installation without an administrator', async () => {
  const inherited = { ...groups.staff, inherits: ['admins'] };
  expect((await put(admin, 'groups/staff', inherited)).status).toBe(200);
  const { id } = await parseAnswer(authApi.me.response, admin('/api/auth/me'));
  for (const user of [id, plain.id]) {
    expect((await put(admin, `users/${user}`, { groups: [] })).status).toBe(200);
  }
  const answer = await put(admin, 'settings/platform', { ...platform, authenticatedGroups: [] });
  expect(answer.status).toBe(409);
  expect(await rightsOf(admin)).toEqual(['*']);
});

test('an unknown group in a file is reported, and stays while other settings change', async () => {
  await server.close();
  const files = {
    'config/platform.json': { ...platform, authenticatedGroups: ['ghost', 'staff'] },
    'config/groups.json': {
      groups: { ...groups, staff: { ...groups.staff, inherits: ['missing-group'] } },
    },
  };
  server = await startTestServer({ environment, files });
  admin = await signInAdmin(server);
  const { items } = await parseAnswer(api.health.faults.response, admin('/api/admin/faults'));
  expect(items.map(({ path, field }) => `${path} ${field}`)).toEqual([
    'contents/config/platform.json authenticatedGroups.0',
    'contents/config/groups.json groups.staff.inherits.0',
  ]);
  const { config } = await parseAnswer(
    adminSettingsApi.get.response,
    admin('/api/admin/settings/platform'),
  );
  const changed = { ...config, speech: { input: true } };
  expect((await put(admin, 'settings/platform', changed)).status).toBe(200);
});

test('a restore lists the groups that would not exist', async () => {
  const zip = createZip({
    'contents/config/platform.json': { ...platform, authenticatedGroups: ['ghost'] },
  });
  const { plan } = await importBackup(admin, zip, '?dryRun=true&only=config/platform.json');
  expect(JSON.stringify(plan)).toContain('There is no group \\"ghost\\".');
});
