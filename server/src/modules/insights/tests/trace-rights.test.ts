import { randomUUID } from 'node:crypto';
import { adminApi } from '@knowhow/shared/config/admin';
import { expect, test } from 'vitest';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { getAnswerId, readTrace, whySkill } from '../../../testing/read-trace.ts';
import { rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { readConversation, type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';
import type { Files } from '../../../testing/write-files.ts';

const app = {
  id: 'chat',
  name: 'Chat',
  system: 'You are helpful.',
  skills: ['meeting-notes', 'release-notes'],
  showTrace: true,
};
const chat = scriptedChat({ ...rightsFiles, 'apps/chat.json': app });
let admin: Visitor;
let ann: SignedIn;

async function start(script: Parameters<typeof chat.start>[0], files: Files = {}) {
  await chat.start(script, files);
  admin = await signInAdmin(chat.server);
  ann = await signInNew(chat.server, admin, { username: 'ann', groups: ['staff'] });
}

const put = async (path: string, json: unknown) =>
  expect((await admin(`/api/admin/${path}`, { method: 'PUT', json })).status).toBe(200);
const grantStaff = (skills: string[]) =>
  put('groups/staff', {
    id: 'staff',
    name: 'Staff',
    permissions: { apps: ['*'], models: ['*'], skills },
  });
const get = (reader: Visitor, turn: TakenTurn) =>
  reader(`/api/messages/${getAnswerId(turn)}/trace`);

test('its owner can read it if the app allows that, an admin always, and no other user', async () => {
  await start([says('Hello.')]);
  const ben = await signInNew(chat.server, admin, { username: 'ben', groups: ['staff'] });
  const turn = await takeTurn(ann.visitor, { message: 'Hi' });
  expect((await readTrace(ann.visitor, turn)).rounds).toHaveLength(1);
  expect((await readTrace(admin, turn)).rounds).toHaveLength(1);
  const invented = await parseProblem(ben.visitor(`/api/messages/${randomUUID()}/trace`));
  expect(invented).toMatchObject({ status: 404, code: 'not-found' });
  expect(await parseProblem(get(ben.visitor, turn))).toEqual(invented);
  await put('apps/chat', { ...app, showTrace: false });
  expect(await parseProblem(get(ann.visitor, turn))).toEqual(invented);
  const why = await ann.visitor(`/api/messages/${getAnswerId(turn)}/trace/skills/meeting-notes`);
  expect(await parseProblem(why)).toEqual(invented);
  expect((await readTrace(admin, turn)).rounds).toHaveLength(1);
  const { messages } = await readConversation(ann.visitor, turn.conversationId);
  expect(await parseProblem(admin(`/api/messages/${messages[0]?.id}/trace`))).toEqual(invented);
});

test("an admin who reads another user's trace creates an audit entry; other readers do not", async () => {
  await start([says('Hello.')]);
  const turn = await takeTurn(ann.visitor, { message: 'Hi' });
  const groups = ['admins', 'staff'];
  const boss = await signInNew(chat.server, admin, { username: 'boss', groups });
  const own = await takeTurn(boss.visitor, { message: 'Hi' });
  const guests = await takeTurn(chat.visitor, { message: 'Hi' });
  await readTrace(ann.visitor, turn);
  await readTrace(boss.visitor, own);
  await readTrace(admin, turn);
  await whySkill(admin, guests, 'meeting-notes');
  const page = await (await admin('/api/admin/audit?query=trace-read')).json();
  const entry = { userName: expect.stringMatching(/^admin/i), action: 'trace-read', kind: 'user' };
  expect(adminApi.audit.response.parse(page).items).toMatchObject([
    { ...entry, target: 'anonymous', after: { answer: getAnswerId(guests), app: 'chat' } },
    { ...entry, target: 'ann', after: { answer: getAnswerId(turn), app: 'chat' } },
  ]);
});

test('apps say who can see traces', async () => {
  await start([says('Hello.')], { 'apps/quiet.json': { id: 'quiet', name: 'Quiet' } });
  const shown = async (visitor: Visitor, id: string) =>
    ((await (await visitor(`/api/apps/${id}`)).json()) as { showTrace: boolean }).showTrace;
  expect(await shown(ann.visitor, 'chat')).toBe(true);
  expect(await shown(ann.visitor, 'quiet')).toBe(false);
  expect(await shown(admin, 'quiet')).toBe(true);
});

test('its owner no longer sees a withdrawn skill in it, but an admin does', async () => {
  const read = calls([
    'read_skill_resource',
    { skill_name: 'meeting-notes', file_path: 'references/format.md' },
  ]);
  await start([calls(['activate_skill', { skill_name: 'meeting-notes' }]), read, says('Done.')]);
  const turn = await takeTurn(ann.visitor, { message: 'Sort' });
  const before = await readTrace(ann.visitor, turn);
  expect(JSON.stringify(before)).toContain('One decision a line.');
  await grantStaff(['release-notes']);
  const after = await readTrace(ann.visitor, turn);
  const text = JSON.stringify(after);
  expect(text).not.toContain('meeting-notes');
  expect(text).not.toContain('Turns notes into decisions');
  expect(text).not.toContain('One decision a line.');
  expect(after.rounds[0]).toMatchObject({
    catalogue: { offered: ['release-notes'], totals: { offered: 1 } },
    added: [{ role: 'user', content: 'Sort' }],
  });
  expect(after.rounds[0]?.system[1]?.text).toContain('Writes release notes.');
  expect(after.rounds[1]?.added).toMatchObject([{ withheld: true }, { withheld: true }]);
  expect(await whySkill(ann.visitor, turn, 'meeting-notes')).toEqual({ outcome: 'not-visible' });
  expect(await whySkill(ann.visitor, turn, 'invented')).toEqual({ outcome: 'not-visible' });
  expect(await readTrace(admin, turn)).toEqual(before);
  expect(await whySkill(admin, turn, 'meeting-notes')).toMatchObject({ outcome: 'activated' });
});

test('nor a skill that was routed, picked, or found', async () => {
  const choice = '{"selected_skill_names": ["meeting-notes"], "reasoning": "Yes."}';
  const plain = {
    'models/plain.json': {
      id: 'plain',
      modelId: 'plain',
      name: 'Plain',
      provider: 'local',
      supportsTools: false,
    },
    'apps/found.json': { ...app, id: 'found', skillSettings: { discoveryMode: 'search' } },
  };
  await start(({ system, tools, messages }) => {
    if (system.startsWith('You choose')) {
      return says(choice);
    }
    const isFirst = messages.every(({ role }) => role !== 'tool');
    const mayList = tools.some(({ name }) => name === 'list_skills');
    return isFirst && mayList ? calls(['list_skills', {}]) : says('Done.');
  }, plain);
  const routed = await takeTurn(ann.visitor, { message: 'Sort', model: 'plain' });
  const found = await takeTurn(ann.visitor, { message: 'Sort', app: 'found', model: 'scripted' });
  const picked = await takeTurn(ann.visitor, {
    message: 'Sort',
    model: 'scripted',
    skills: ['meeting-notes'],
  });
  expect(found.events.some(({ type }) => type === 'tool.call.end')).toBe(true);
  await grantStaff(['release-notes']);
  for (const turn of [routed, found, picked]) {
    const text = JSON.stringify(await readTrace(ann.visitor, turn));
    expect(text).not.toContain('meeting-notes');
    expect(text).not.toContain('Turns notes into decisions');
  }
});

test('nor do the reasons for an unused skill reveal search terms that name one', async () => {
  const search = calls(['search_skills', { query: 'meeting-notes or release' }]);
  const searching = { ...app, skillSettings: { discoveryMode: 'search' } };
  await start([search, says('Done.')], { 'apps/chat.json': searching });
  const turn = await takeTurn(ann.visitor, { message: 'Sort' });
  const before = await whySkill(ann.visitor, turn, 'release-notes');
  expect(before.searches).toMatchObject([{ query: 'meeting-notes or release' }]);
  await grantStaff(['release-notes']);
  const after = await whySkill(ann.visitor, turn, 'release-notes');
  expect(after.searches).toMatchObject([{ query: '' }]);
  expect(await whySkill(admin, turn, 'release-notes')).toEqual(before);
});

test('it never contains a key, wherever that comes from', async () => {
  const key = 'sk-test-1234567890abcdef';
  const odd = 'a "quoted\\ secret';
  const server = await startTestServer({
    environment: {
      ...{ SCRIPTED_API_KEY: key, TEAM_SECRET: 'hunter2-hunter2', KNOWHOW_TEAM: 'Blue' },
      // JSON escapes it; and one key equals a field name.
      ...{ ODD_PASSWORD: odd, DULL_TOKEN: 'instruction' },
    },
    files: {
      'apps/chat.json': {
        id: 'chat',
        name: 'Chat',
        // Typed by an admin, and not readable by a configuration file.
        system: `Team \${KNOWHOW_TEAM}, \${SCRIPTED_API_KEY:-none}, \${TEAM_SECRET:-none}. Use ${key}`,
      },
      'models/scripted.json': {
        id: 'scripted',
        modelId: 'x',
        name: 'X',
        provider: 'local',
        default: true,
      },
    },
  });
  const turn = await takeTurn(server.visitor(), { message: `My ${key}, ${odd}` });
  const text = JSON.stringify(await readTrace(await signInAdmin(server), turn));
  expect(text).toContain('Team Blue, none, none. Use ***');
  expect(text).toContain('My ***, ***');
  expect(text).not.toContain(key);
  await server.close();
});

test.each([
  ['no ID', '/api/messages/x/trace', 400],
  ['an ID of 10 kB', `/api/messages/${'a'.repeat(10_000)}/trace`, 400],
  ['a path instead of an ID', '/api/messages/..%2f..%2fadmin/trace', 400],
  ['an unknown ID', `/api/messages/${randomUUID()}/trace`, 404],
  ['a name of 10 kB', `/api/messages/${randomUUID()}/trace/skills/${'a'.repeat(10_000)}`, 400],
  ['a NUL', `/api/messages/${randomUUID()}/trace/skills/%00`, 404],
  ['no name', `/api/messages/${randomUUID()}/trace/skills/`, 404],
  ['an unknown field', `/api/messages/${randomUUID()}/trace?all=true`, 400],
])('rejects a request with %s', async (_, path, status) => {
  await start([says('Hello.')]);
  expect((await admin(path)).status).toBe(status);
  expect((await parseProblem(admin(path))).detail).not.toMatch(/SQL|at \//);
});

test.each(['__proto__', 'constructor', '../meeting-notes', '%', "'; drop table traces; --", '🦄'])(
  'why "%s" was not used gets an ordinary answer',
  async (name) => {
    await start([says('Hello.')]);
    const turn = await takeTurn(ann.visitor, { message: 'Hi' });
    expect(await whySkill(admin, turn, name)).toEqual({
      outcome: 'not-visible',
      rule: 'no-such-skill',
    });
    expect(await whySkill(ann.visitor, turn, name)).toEqual({ outcome: 'not-visible' });
  },
);
