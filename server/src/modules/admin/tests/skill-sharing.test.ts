import { skillSharingApi } from '@knowhow/shared/access/skill-sharing';
import { type AuditEntry, adminApi } from '@knowhow/shared/config/admin';
import { mySkillsApi } from '@knowhow/shared/skills/personal-skills';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

const group = (id: string, more: object) => ({
  [id]: { id, name: id, permissions: { apps: ['*'], models: ['*'], ...more } },
});
const groups = {
  ...group('sharers', { personalSkills: 'share' }),
  ...group('team', { personalSkills: 'private' }),
  ...group('admins', { skills: ['*'], adminAccess: true }),
  ...group('helpers', { adminAccess: ['users', 'groups'] }),
};

type Person = Awaited<ReturnType<typeof signInNew>>;
let server: TestServer;
let admin: Visitor;
let ann: Person;
let ben: Person;
let cleo: Person;

beforeEach(async () => {
  server = await startTestServer({ files: { 'config/groups.json': { groups } } });
  admin = await signInAdmin(server);
  const person = (username: string, ...of: string[]) =>
    signInNew(server, admin, { username, groups: of });
  ann = await person('ann', 'sharers', 'team');
  ben = await person('ben', 'team');
  cleo = await person('cleo', 'team');
  for (const name of ['payroll', 'rumours']) {
    const json = { name, description: 'Is private.', instructions: 'Whisper.' };
    await ann.visitor('/api/my/skills', { json });
  }
});
afterEach(() => server.close());

const send = (name: string, json: object, headers: Record<string, string> = {}) =>
  ann.visitor(`/api/my/skills/${name}/share`, {
    json: { users: [], groups: [], ...json },
    headers,
  });
const share = (name: string, json: object) =>
  parseAnswer(mySkillsApi.share.response, send(name, json));
const shared = async ({ visitor }: Person) =>
  (await parseAnswer(skillsApi.list.response, visitor('/api/skills?limit=200'))).items
    .map(({ name }) => name)
    .filter((name) => name.includes('@'));
const sharing = (path: string, visitor = admin, method = 'GET') =>
  parseAnswer(
    skillSharingApi.ofUser.response,
    visitor(`/api/admin/${path}/skill-sharing`, { method }),
  );
const audit = async (): Promise<AuditEntry[]> =>
  (await parseAnswer(adminApi.audit.response, admin('/api/admin/audit'))).items.filter(
    ({ action }) => action.startsWith('skill-shar'),
  );

test('the audit log says who shares with whom, and never the name of a skill', async () => {
  await share('payroll', { groups: ['team'] });
  await share('payroll', { groups: ['team'] });
  await share('payroll', { users: [ben.id] });
  await share('payroll', {});
  const entries = (await audit()).toReversed();
  expect(entries).toMatchObject([
    {
      action: 'skill-shared',
      kind: 'user',
      target: 'ann',
      before: { groups: [], users: [] },
      after: { groups: ['team'], users: [] },
    },
    { action: 'skill-shared', after: { groups: [], users: [ben.id] } },
    { action: 'skill-sharing-ended', userName: 'ann', after: { groups: [], users: [] } },
  ]);
  expect(JSON.stringify(entries)).not.toContain('payroll');
  await share('rumours', { users: [ben.id] });
  await ann.visitor('/api/my/skills/rumours', { method: 'DELETE' });
  expect((await audit())[0]).toMatchObject({
    action: 'skill-sharing-ended',
    before: { users: [ben.id] },
  });
  expect(JSON.stringify(await audit())).not.toContain('rumours');
});

test('an administrator ends all sharing of a user, from the next request on', async () => {
  await share('payroll', { groups: ['team'], users: [ben.id] });
  await share('rumours', { users: [ben.id] });
  expect(await shared(ben)).toEqual(['payroll@ann', 'rumours@ann']);
  const path = `users/${ann.id}`;
  expect(await sharing(path)).toEqual({ skills: 2, people: 2, losing: 2 });
  expect(await sharing(path, admin, 'DELETE')).toEqual({ skills: 2, people: 2, losing: 2 });
  expect(await shared(ben)).toEqual([]);
  expect(await shared(cleo)).toEqual([]);
  expect(await shared(ann)).toEqual(['payroll@ann', 'rumours@ann']);
  expect(await sharing(path)).toEqual({ skills: 0, people: 0, losing: 0 });
  expect((await audit())[0]).toMatchObject({
    action: 'skill-sharing-ended',
    target: 'ann',
    userName: 'Admin',
    before: { skills: 2, people: 2 },
  });
  // Nothing is shared any more, so nothing is recorded.
  const count = (await audit()).length;
  await sharing(path, admin, 'DELETE');
  expect(await audit()).toHaveLength(count);
});

test('an administrator ends all sharing with a group, and single users keep their access', async () => {
  await share('payroll', { groups: ['team'], users: [ben.id] });
  expect(await sharing('groups/team')).toEqual({ skills: 1, people: 3, losing: 1 });
  await sharing('groups/team', admin, 'DELETE');
  expect(await shared(cleo)).toEqual([]);
  expect(await shared(ben)).toEqual(['payroll@ann']);
  expect((await audit())[0]).toMatchObject({
    action: 'skill-sharing-ended',
    kind: 'group',
    target: 'team',
  });
});

test('who may not change a user or a group does not end its sharing', async () => {
  const { visitor } = await signInNew(server, admin, { username: 'hal', groups: ['helpers'] });
  await share('payroll', { groups: ['team'] });
  expect(await sharing(`users/${ann.id}`, visitor)).toEqual({ skills: 1, people: 2, losing: 2 });
  for (const path of ['groups/admins', 'groups/unknown']) {
    const refused = await visitor(`/api/admin/${path}/skill-sharing`, { method: 'DELETE' });
    expect([403, 404]).toContain(refused.status);
  }
  expect(await shared(ben)).toEqual(['payroll@ann']);
});

test('a second tab does not replace recipients that it has not seen', async () => {
  const { checksum } = await parseAnswer(
    mySkillsApi.recipients.response,
    ann.visitor('/api/my/skills/payroll/share'),
  );
  const { checksum: next } = await share('payroll', { users: [ben.id] });
  const late = send('payroll', { users: [cleo.id] }, { 'if-match': `"${checksum}"` });
  expect((await parseProblem(late)).code).toBe('changed-meanwhile');
  expect(await shared(ben)).toEqual(['payroll@ann']);
  expect((await send('payroll', {}, { 'if-match': `"${next}"` })).status).toBe(200);
  expect(await shared(ben)).toEqual([]);
});
