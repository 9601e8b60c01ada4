import { join } from 'node:path';
import { libraryApi } from '@knowhow/shared/skills/library';
import { mySkillsApi } from '@knowhow/shared/skills/personal-skills';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { unzipSync } from 'fflate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { makeKey } from '../../../testing/make-key.ts';
import { connectMcp } from '../../../testing/mcp-client.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAgain, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { createNodes } from '../../../testing/start-nodes.ts';
import { defaultFiles, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { startOf, takeTurn } from '../../../testing/take-turn.ts';
import { onPostgres } from '../../../testing/test-database.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { writeFiles } from '../../../testing/write-files.ts';

const permissions = { apps: ['*'], models: ['*'], skills: ['meeting-notes'] };
const group = (id: string, more: object) => ({
  [id]: { id, name: id, permissions: { ...permissions, ...more } },
});
const groups = {
  ...group('sharers', { personalSkills: 'share' }),
  ...group('writers', { personalSkills: 'private' }),
  ...group('readers', {}),
  ...group('team', {}),
  ...group('others', { personalSkills: 'private' }),
  ...group('admins', { skills: ['*'], personalSkills: 'private', adminAccess: true }),
};
const files = { 'config/groups.json': { groups } };
const chat = scriptedChat(files);

/** Ann shares with Ben or the team, in which both are; Eve is in no group with them. */
async function start(script: Parameters<typeof chat.start>[0] = []) {
  await chat.start(script);
  return signInPeople();
}

async function signInPeople() {
  const admin = await signInAdmin(chat.server);
  const person = (username: string, ...groups: string[]) =>
    signInNew(chat.server, admin, { username, groups });
  return {
    admin,
    ann: await person('ann', 'sharers', 'team'),
    ben: await person('ben', 'writers', 'team'),
    eve: await person('eve', 'others'),
  };
}

const backupText = (zip: Uint8Array) => Buffer.concat(Object.values(unzipSync(zip))).toString();

type People = Awaited<ReturnType<typeof start>>;

const invoices = {
  name: 'invoices',
  description: 'Bills clients for zeppelins.',
  instructions: 'Name the client first.',
};
const write = (visitor: Visitor, json: object = invoices) =>
  parseAnswer(mySkillsApi.create.response, visitor('/api/my/skills', { json }));
const send = (visitor: Visitor, json: object, name = 'invoices') =>
  visitor(`/api/my/skills/${name}/share`, { json: { users: [], groups: [], ...json } });
const share = async (visitor: Visitor, json: object, name = 'invoices') =>
  (await parseAnswer(mySkillsApi.share.response, send(visitor, json, name))).items;
const offered = async (visitor: Visitor, query = '') =>
  (await parseAnswer(skillsApi.list.response, visitor(`/api/skills?limit=200${query}`))).items.map(
    ({ name }) => name,
  );
const received = async (visitor: Visitor) =>
  (await parseAnswer(mySkillsApi.received.response, visitor('/api/my/received-skills'))).items;
const changeUser = (admin: Visitor, id: string, json: object) =>
  admin(`/api/admin/users/${id}`, { method: 'PUT', json });
const sees = async (visitor: Visitor) => (await offered(visitor)).includes('invoices@ann');

test('a recipient uses it in the chat, and learns from whom it is', async () => {
  const { ann, ben } = await start([says('Billed.')]);
  await write(ann.visitor);
  expect(await share(ann.visitor, { users: [ben.id] })).toEqual([
    { kind: 'user', id: ben.id, name: 'ben' },
  ]);
  expect(await received(ben.visitor)).toEqual([
    {
      id: 'invoices@ann',
      displayName: 'invoices',
      description: invoices.description,
      sharedBy: 'ann',
    },
  ]);
  expect(await offered(ben.visitor, '&query=zeppelins')).toEqual(['invoices@ann']);
  const page = await parseAnswer(libraryApi.get.response, ben.visitor('/api/library/invoices@ann'));
  expect(page).toMatchObject({ isPersonal: true, sharedBy: 'ann' });
  const { events } = await takeTurn(ben.visitor, { message: 'Bill', skills: ['invoices@ann'] });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'skill.activation', name: 'invoices@ann', via: 'slash' }),
  );
  expect(chat.sent(0)).toContain('Name the client first.');
  const { items } = await parseAnswer(mySkillsApi.list.response, ann.visitor('/api/my/skills'));
  expect(items).toMatchObject([{ name: 'invoices', recipients: 1 }]);
});

test('a model activates it by its full name only', async () => {
  const { ann, ben } = await start([
    calls(['activate_skill', { skill_name: 'invoices@ann' }]),
    says('One.'),
    calls(['activate_skill', { skill_name: 'invoices' }]),
    says('Two.'),
  ]);
  await write(ann.visitor);
  await share(ann.visitor, { groups: ['team'] });
  const activated = async () =>
    (await takeTurn(ben.visitor, { message: 'Bill Bob' })).events.filter(
      ({ type }) => type === 'skill.activation',
    );
  expect(await activated()).toMatchObject([{ name: 'invoices@ann', via: 'model' }]);
  expect(await activated()).toEqual([]);
});

test("the short name is the user's own skill, or the organisation's", async () => {
  const { ann, ben } = await start([says('One.'), says('Two.')]);
  await write(ann.visitor);
  await write(ann.visitor, { ...invoices, name: 'meeting-notes' });
  await write(ben.visitor, { ...invoices, instructions: 'Be brief.' });
  await share(ann.visitor, { users: [ben.id] });
  await share(ann.visitor, { users: [ben.id] }, 'meeting-notes');
  await takeTurn(ben.visitor, { message: 'Go', skills: ['invoices'] });
  expect(chat.sent(0)).toContain('Be brief.');
  expect(chat.sent(0)).not.toContain('Name the client first.');
  await takeTurn(ben.visitor, { message: 'Go', skills: ['meeting-notes'] });
  expect(chat.sent(1)).not.toContain('Name the client first.');
});

test('keys and MCP clients of a recipient read it, those of others do not', async () => {
  const { ann, ben, eve } = await start([says('One.')]);
  await write(ann.visitor);
  await share(ann.visitor, { groups: ['team'] });
  for (const { visitor, isIn } of [
    { visitor: ben.visitor, isIn: true },
    { visitor: eve.visitor, isIn: false },
  ]) {
    const { program, key } = await makeKey(chat.server, visitor, ['chat', 'skills', 'mcp']);
    expect(await sees(program)).toBe(isIn);
    const { skills } = await connectMcp(chat.server, { token: key });
    const listed = JSON.stringify((await skills.list()).skills);
    expect(listed.includes('invoices%40ann')).toBe(isIn);
    const json = {
      model: 'chat',
      messages: [{ role: 'user', content: 'Go' }],
      metadata: { skills: 'invoices@ann' },
    };
    await program('/v1/chat/completions', { json });
    const asked = JSON.stringify(chat.model.requests);
    expect(asked.includes('Name the client first.')).toBe(isIn);
    chat.model.requests.splice(0);
  }
});

test('it does not exist for anyone else, by any door', async () => {
  const { admin, ann, ben, eve } = await start([says('One.'), says('Two.'), says('Three.')]);
  await write(ann.visitor);
  await share(ann.visitor, { users: [ben.id] });
  const id = startOf(
    await takeTurn(ben.visitor, { message: 'Bill Bob', skills: ['invoices@ann'] }),
  ).messageId;
  for (const other of [eve.visitor, admin]) {
    expect(await sees(other)).toBe(false);
    expect(await offered(other, '&query=zeppelins')).toEqual([]);
    expect(await received(other)).toEqual([]);
    for (const path of [
      '/api/my/skills/invoices',
      '/api/my/skills/invoices/share',
      '/api/skills/invoices@ann',
      '/api/skills/invoices@ann/content',
      '/api/library/invoices@ann',
      '/api/admin/skills/invoices@ann',
    ]) {
      const { status } = await other(path);
      const hidden = path.startsWith('/api/admin') && other !== admin ? 403 : 404;
      expect({ path, status }).toEqual({ path, status: hidden });
    }
    const { events } = await takeTurn(other, { message: 'Go', skills: ['invoices@ann'] });
    expect(events.map(({ type }) => type)).not.toContain('skill.activation');
  }
  expect(JSON.stringify(chat.model.requests.slice(1))).not.toContain('zeppelins');
  expect(await (await admin('/api/admin/analytics/skills')).text()).not.toContain('invoices');
  await waitFor(async () => (await admin(`/api/messages/${id}/trace`)).status === 200);
  expect(await (await admin(`/api/messages/${id}/trace`)).text()).not.toContain('zeppelins');
});

test('a recipient cannot change, delete, propose or share it', async () => {
  const { ann, ben } = await start();
  await write(ann.visitor);
  await share(ann.visitor, { users: [ben.id] });
  const change = { description: 'Bad.', instructions: 'Bad.' };
  for (const name of ['invoices', 'invoices@ann']) {
    const path = `/api/my/skills/${name}`;
    for (const request of [
      ben.visitor(path),
      ben.visitor(path, { method: 'PUT', json: change }),
      ben.visitor(path, { method: 'DELETE' }),
      send(ben.visitor, {}, name),
    ]) {
      expect((await request).status).toBe(404);
    }
  }
});

test("its scripts do not run where those of the organisation's skills do", async () => {
  const tools = ['run_skill_script'];
  const team = { ...groups.team, permissions: { ...permissions, tools } };
  const run = { skill_name: 'invoices@ann', script: 'scripts/run.sh' };
  await chat.start([calls(['run_skill_script', run]), says('Done.')], {
    'apps/chat.json': { ...defaultFiles['apps/chat.json'], tools: ['*'] },
    'config/groups.json': { groups: { ...groups, team } },
    'config/skills.json': {
      settings: { allowScriptExecution: true },
      skills: { 'meeting-notes': { allowScriptExecution: true } },
    },
    'skills/meeting-notes/scripts/run.sh': 'echo hello',
  });
  const { folder, close } = chat.server;
  await close();
  const environment = { SCRIPT_RUNNER: 'auto' };
  chat.server = await startTestServer({ folder, environment, model: chat.model.ask });
  const { ann, ben } = await signInPeople();
  const scripts = [{ path: 'scripts/run.sh', content: 'echo hello' }];
  await write(ann.visitor, { ...invoices, files: scripts });
  await share(ann.visitor, { users: [ben.id] });
  const { events } = await takeTurn(ben.visitor, { message: 'Go', skills: ['invoices@ann'] });
  const [first, second] = chat.model.requests;
  expect(first?.tools.map(({ name }) => name)).toContain('run_skill_script');
  expect(events.map(({ type }) => type)).not.toContain('tool.consent');
  expect(second?.messages.at(-1)?.content).toContain('does not allow the scripts of this skill');
});

describe('a recipient loses it at the next request', () => {
  const team = { groups: ['team'] };
  const person = ({ ben }: People) => ({ users: [ben.id] });
  const block = { reason: 'It is bad.' };

  test.each<[string, (people: People) => object, (people: People) => Promise<unknown>]>([
    ['when the owner stops sharing', person, ({ ann }) => send(ann.visitor, {})],
    [
      'when the owner deletes it',
      person,
      ({ ann }) => ann.visitor('/api/my/skills/invoices', { method: 'DELETE' }),
    ],
    [
      'when the owner leaves the group',
      () => team,
      ({ admin, ann }) => changeUser(admin, ann.id, { groups: ['sharers'] }),
    ],
    [
      'when the owner may no longer share',
      person,
      ({ admin, ann }) => changeUser(admin, ann.id, { groups: ['writers', 'team'] }),
    ],
    [
      'when the owner is disabled',
      person,
      ({ admin, ann }) => changeUser(admin, ann.id, { disabled: true }),
    ],
    [
      'when the owner is deleted',
      person,
      ({ admin, ann }) =>
        admin(`/api/admin/users/${ann.id}?conversations=keep`, { method: 'DELETE' }),
    ],
    [
      'when the recipient leaves the group',
      () => team,
      ({ admin, ben }) => changeUser(admin, ben.id, { groups: ['writers'] }),
    ],
    [
      'when the recipient may no longer have skills',
      person,
      ({ admin, ben }) => changeUser(admin, ben.id, { groups: ['readers'] }),
    ],
    [
      'when the group of the owner may no longer share',
      person,
      ({ admin }) =>
        admin('/api/admin/groups/sharers', {
          method: 'PUT',
          json: { ...groups.sharers, permissions },
        }),
    ],
    [
      'when an administrator has blocked its content',
      person,
      async ({ admin }) => {
        const { name, description, instructions: body } = invoices;
        await admin('/api/admin/skills', { json: { name, description, body } });
        return admin(`/api/admin/skills/${name}/block`, { method: 'PUT', json: block });
      },
    ],
  ])('%s', async (_, recipients, change) => {
    const people = await start();
    await write(people.ann.visitor);
    await share(people.ann.visitor, recipients(people));
    expect(await sees(people.ben.visitor)).toBe(true);
    const answer = (await change(people)) as Response;
    expect(answer.status).toBeLessThan(300);
    expect(await sees(people.ben.visitor)).toBe(false);
  });
});

test('an answer in progress loses it at its next request', async () => {
  const people: People = await start([
    [
      async () => void (await share(people.ann.visitor, {})),
      ...calls(['activate_skill', { skill_name: 'meeting-notes' }]),
    ],
    says('Done.'),
  ]);
  const { ann, ben } = people;
  await write(ann.visitor);
  await share(ann.visitor, { users: [ben.id] });
  const { events } = await takeTurn(ben.visitor, { message: 'Bill', skills: ['invoices@ann'] });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'skill.ended', name: 'invoices@ann' }),
  );
  expect(JSON.stringify(chat.model.requests[0])).toContain('Name the client first.');
  expect(JSON.stringify(chat.model.requests[1])).not.toContain('Name the client first.');
});

test('a changed skill reaches recipients at once', async () => {
  const { ann, ben } = await start();
  const { checksum } = await write(ann.visitor);
  await share(ann.visitor, { users: [ben.id] });
  const changed = await ann.visitor('/api/my/skills/invoices', {
    method: 'PUT',
    json: {
      description: 'Bills airships.',
      translations: { title: {}, description: { de: 'Rechnet Luftschiffe ab.' } },
      instructions: 'Ask first.',
    },
    headers: { 'if-match': `"${checksum}"` },
  });
  expect(changed.status).toBe(200);
  expect(await received(ben.visitor)).toMatchObject([
    {
      description: 'Bills airships.',
      translations: { description: { de: 'Rechnet Luftschiffe ab.' } },
    },
  ]);
  const content = await ben.visitor('/api/skills/invoices@ann/content');
  expect(await content.text()).toContain('Ask first.');
});

test('a search finds people and groups of the user, and no one else', async () => {
  const { ann, eve } = await start();
  const search = async (visitor: Visitor, query: string) =>
    (
      await parseAnswer(
        mySkillsApi.recipientChoices.response,
        visitor(`/api/my/skill-recipients?query=${query}`),
      )
    ).items.map(({ name }) => name);
  expect(await search(ann.visitor, '')).toEqual(expect.arrayContaining(['team', 'ben']));
  expect(await search(ann.visitor, 'BE')).toEqual(['ben']);
  expect(await search(ann.visitor, 'eve')).toEqual([]);
  expect(await search(ann.visitor, 'readers')).toEqual([]);
  expect(await search(eve.visitor, 'ben')).toEqual([]);
});

test.each<[string, (people: People) => object]>([
  ['a user in none of their groups', ({ eve }) => ({ users: [eve.id] })],
  ['a user who does not exist', () => ({ users: ['00000000-0000-4000-8000-000000000000'] })],
  ['themselves', ({ ann }) => ({ users: [ann.id] })],
  ['a group of others', () => ({ groups: ['readers'] })],
  ['a group that does not exist', () => ({ groups: ['nothing'] })],
  ['too many users', () => ({ users: Array.from({ length: 51 }, (_, at) => `user-${at}`) })],
  ['too many groups', () => ({ groups: Array.from({ length: 21 }, (_, at) => `group-${at}`) })],
])('a user cannot share a skill with %s', async (_, recipients) => {
  const people = await start();
  await write(people.ann.visitor);
  const { code } = await parseProblem(send(people.ann.visitor, recipients(people)));
  expect(code).toBe('invalid-request');
  expect(await share(people.ann.visitor, {})).toEqual([]);
});

test('users whose groups do not allow sharing can only end it', async () => {
  const { admin, ann, ben } = await start();
  await write(ben.visitor);
  expect((await parseProblem(send(ben.visitor, { groups: ['team'] }))).code).toBe('forbidden');
  await write(ann.visitor);
  await share(ann.visitor, { groups: ['team'], users: [ben.id] });
  await changeUser(admin, ann.id, { groups: ['writers'] });
  expect(await share(ann.visitor, { users: [ben.id] })).toMatchObject([{ id: ben.id }]);
  expect((await send(ann.visitor, { groups: ['team'] })).status).toBe(403);
  expect(await share(ann.visitor, {})).toEqual([]);
});

test('deleted users and groups leave nothing behind', async () => {
  const { admin, ann, ben } = await start();
  await write(ann.visitor);
  await share(ann.visitor, { groups: ['team'], users: [ben.id] });
  const stored = ['group:team', `user:${ben.id}`];
  const find = async () => {
    const text = backupText(await exportBackup(admin, '?data=true'));
    return stored.filter((recipient) => text.includes(recipient));
  };
  expect(await find()).toEqual(stored);
  await admin(`/api/admin/users/${ben.id}?conversations=delete`, { method: 'DELETE' });
  await changeUser(admin, ann.id, { groups: ['sharers'] });
  const removed = await admin('/api/admin/groups/team', { method: 'DELETE' });
  expect(removed.status).toBeLessThan(300);
  expect(await find()).toEqual([]);
  const { items } = await parseAnswer(mySkillsApi.list.response, ann.visitor('/api/my/skills'));
  expect(items).toMatchObject([{ recipients: 0 }]);
});

test('a group that is removed in the file is neither listed nor counted', async () => {
  const { ann, ben } = await start();
  await write(ann.visitor);
  await share(ann.visitor, { groups: ['team'], users: [ben.id] });
  const others = Object.fromEntries(Object.entries(groups).filter(([id]) => id !== 'team'));
  await writeFiles(join(chat.server.folder, 'contents'), {
    'config/groups.json': { groups: others },
  });
  const count = async () =>
    (await parseAnswer(mySkillsApi.list.response, ann.visitor('/api/my/skills'))).items[0]
      ?.recipients;
  await waitFor(async () => (await count()) === 1);
  const answer = ann.visitor('/api/my/skills/invoices/share');
  expect(await parseAnswer(mySkillsApi.recipients.response, answer)).toEqual({
    items: [{ kind: 'user', id: ben.id, name: 'ben' }],
    checksum: expect.any(String),
  });
});

test('a backup brings back with whom it is shared', async () => {
  const { admin, ann, ben } = await start();
  await write(ann.visitor);
  await share(ann.visitor, { users: [ben.id] });
  const backup = await exportBackup(admin, '?data=true');
  await share(ann.visitor, {});
  await importBackup(admin, backup);
  const { visitor: again } = await signInAgain(chat.server, 'ben');
  expect(await sees(again)).toBe(true);
});

test('a recipient loses it when the change of its owner cannot be read', async () => {
  const { admin, ann, ben } = await start();
  await write(ann.visitor);
  await share(ann.visitor, { users: [ben.id] });
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  onTestFinished(() => database.destroy());
  const rename = (from: string, to: string) =>
    database.schema.alterTable(from).renameTo(to).execute();
  await rename('personal_skill_shares', 'away');
  await changeUser(admin, ann.id, { disabled: true });
  expect(await sees(ben.visitor)).toBe(false);
  await changeUser(admin, ann.id, { disabled: false });
  await rename('away', 'personal_skill_shares');
  await waitFor(() => sees(ben.visitor));
});

test('a recipient loses it when its owner is disabled without an announcement', async () => {
  const { ann, ben } = await start();
  await write(ann.visitor);
  await share(ann.visitor, { users: [ben.id] });
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  onTestFinished(() => database.destroy());
  await database.updateTable('users').set({ disabled: 1 }).where('id', '=', ann.id).execute();
  await waitFor(async () => !(await sees(ben.visitor)));
});

test('a renamed owner is shown by the new name', async () => {
  const { admin, ann, ben } = await start();
  await write(ann.visitor);
  await share(ann.visitor, { users: [ben.id] });
  await changeUser(admin, ann.id, { name: 'Anna Smith' });
  expect(await received(ben.visitor)).toMatchObject([{ sharedBy: 'Anna Smith' }]);
});

test.runIf(onPostgres())('another node learns of it, and of a disabled owner', async () => {
  const nodes = await createNodes(files);
  const [one, two] = [await nodes.start(), await nodes.start()];
  const admin = await signInAdmin(one);
  const ann = await signInNew(one, admin, { username: 'ann', groups: ['sharers', 'team'] });
  await signInNew(one, admin, { username: 'ben', groups: ['writers', 'team'] });
  const { visitor: there } = await signInAgain(two, 'ben');
  await write(ann.visitor);
  await share(ann.visitor, { groups: ['team'] });
  await waitFor(() => sees(there));
  await changeUser(admin, ann.id, { disabled: true });
  await waitFor(async () => !(await sees(there)));
});

test('a skill is shared with a group of colleagues, not with all accounts at once', async () => {
  await chat.start([]);
  const all = group('authenticated', { personalSkills: 'share' });
  const server = await startTestServer({
    files: {
      'config/platform.json': { authenticatedGroups: ['authenticated'] },
      'config/groups.json': { groups: { ...groups, ...all } },
    },
  });
  onTestFinished(server.close);
  const { visitor: ann } = await signInNew(server, await signInAdmin(server), {
    username: 'ann',
    groups: ['sharers', 'team', 'authenticated'],
  });
  await write(ann);
  expect((await send(ann, { groups: ['authenticated'] })).status).toBe(400);
  expect(await share(ann, { groups: ['team', 'team'] })).toEqual([
    { kind: 'group', id: 'team', name: 'team' },
  ]);
  const found = await ann('/api/my/skill-recipients?query=');
  expect(JSON.stringify(await found.json())).not.toContain('"authenticated"');
});
