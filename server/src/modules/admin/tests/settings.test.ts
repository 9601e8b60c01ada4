import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { authApi } from '@knowhow/shared/access/auth';
import { adminSettingsApi, type SettingsFile } from '@knowhow/shared/config/admin-settings';
import { problemSchema } from '@knowhow/shared/problem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;

const platform = {
  rateLimit: { failedLogins: 0 },
  authenticatedGroups: ['staff'],
  oidcAuth: { enabled: false },
  ofAnother: { kept: true },
};
const skills = {
  skills: { 'meeting-notes': { priority: 3 } },
  plugins: { one: { enabled: false } },
  settings: { maxSkillsPerRequest: 10 },
};
const groups = {
  admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
  keepers: { id: 'keepers', name: 'Keepers', permissions: { adminAccess: ['settings'] } },
  staff: { id: 'staff', name: 'Staff' },
};

beforeEach(async () => {
  const files = { 'config/platform.json': platform, 'config/skills.json': skills };
  server = await startTestServer({ files: { ...files, 'config/groups.json': { groups } } });
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

const read = (id: SettingsFile) =>
  parseAnswer(adminSettingsApi.get.response, admin(`/api/admin/settings/${id}`));
const put = (visitor: Visitor, id: SettingsFile, json: unknown, checksum?: string) =>
  visitor(`/api/admin/settings/${id}`, {
    ...{ method: 'PUT', json },
    ...(checksum === undefined ? {} : { headers: { 'If-Match': checksum } }),
  });
const stored = async (name: string) =>
  JSON.parse(await readFile(join(server.folder, 'contents/config', name), 'utf8'));
const refusal = async (answer: Promise<Response>) => {
  const { code, issues, detail } = problemSchema.parse(await (await answer).json());
  return `${code} ${issues?.[0]?.path ?? detail}`;
};

test('settings are read, changed and applied immediately, and the audit log contains the changes', async () => {
  const { config, checksum, environment } = await read('platform');
  expect(config).toEqual(platform);
  expect(environment).toContainEqual({
    ...{ path: 'traces.days', variable: 'TRACE_DAYS', value: '30', wins: false },
  });
  const changed = {
    ...platform,
    localAuth: { passwordMinLength: 14 },
    quotas: { user: { turnsPerDay: 100 } },
  };
  expect((await put(admin, 'platform', changed, checksum)).status).toBe(200);
  expect(await stored('platform.json')).toEqual(changed);
  expect(await parseAnswer(authApi.me.response, admin('/api/auth/me'))).toMatchObject({
    passwordMinLength: 14,
  });
  // A client with the previous state cannot overwrite it (optimistic locking).
  expect(await refusal(put(admin, 'platform', platform, checksum))).toMatch('changed-meanwhile');
  const log = await (await admin('/api/admin/audit?kind=settings')).json();
  const { localAuth, quotas } = changed;
  expect(log).toMatchObject({ items: [{ action: 'update', target: 'platform' }], total: 1 });
  const { items } = log as { items: { before: unknown; after: unknown }[] };
  expect(items[0]).toMatchObject({ before: {}, after: { localAuth, quotas } });
  expect(JSON.stringify(items[0])).not.toContain('ofAnother');
});

test('skill settings leave decisions on single skills alone', async () => {
  const settings = { maxSkillsPerRequest: 4, catalogTokenBudget: 900 };
  expect((await put(admin, 'skills', settings, (await read('skills')).checksum)).status).toBe(200);
  expect(await stored('skills.json')).toEqual({ ...skills, settings });
});

test('rejects invalid or operator-controlled settings with their field', async () => {
  const one = (change: object) => refusal(put(admin, 'platform', { ...platform, ...change }));
  expect(await one({ rateLimit: { turns: -1 } })).toBe('invalid-request rateLimit.turns');
  expect(await one({ titles: 'yes' })).toBe('invalid-request titles');
  expect(await one({ oidcAuth: { enabled: true } })).toBe('invalid-request oidcAuth');
  expect(await one({ placeholders: ['HOME'] })).toBe('invalid-request placeholders');
  expect(await one({ localAuth: { enabled: false } })).toBe('invalid-request localAuth.enabled');
  const sources = refusal(
    put(admin, 'skills', { ...skills.settings, sources: [{ path: '/etc' }] }),
  );
  expect(await sources).toBe('invalid-request sources');
  expect(await stored('platform.json')).toEqual(platform);
});

test('the settings permission alone cannot grant more, or let the server reach more (SSRF)', async () => {
  const { visitor } = await signInNew(server, admin, { username: 'kim', groups: ['keepers'] });
  const one = (change: object) => refusal(put(visitor, 'platform', { ...platform, ...change }));
  expect(await one({ authenticatedGroups: ['staff', 'admins'] })).toMatch(
    /^forbidden .*all rights/,
  );
  expect(await one({ outbound: { allowPrivate: ['10.0.0.0/8'] } })).toMatch(/^forbidden outbound/);
  expect((await put(visitor, 'platform', { ...platform, speech: { input: true } })).status).toBe(
    200,
  );
  const full = { ...platform, outbound: { allowPrivate: ['10.0.0.0/8'] } };
  expect((await put(admin, 'platform', full)).status).toBe(200);
});
