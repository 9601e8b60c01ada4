import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { makeKey } from '../../../testing/make-key.ts';
import { connectMcp } from '../../../testing/mcp-client.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { sandbox } from '../../../testing/sandbox.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();
const skill = 'meeting-notes';
const pinned = { id: 'chat', name: 'Chat', skills: [{ name: skill, version: 1 }], tools: ['*'] };
const follows = { id: 'other', name: 'Other', skills: ['*'], tools: ['*'] };
const permissions = { apps: ['*'], models: ['*'], skills: ['*'], tools: ['*'] };
const groups = {
  'config/groups.json': {
    groups: {
      editors: { id: 'editors', name: 'Editors', permissions },
      readers: { id: 'readers', name: 'Readers', permissions },
      admins: {
        id: 'admins',
        name: 'Admins',
        permissions: { ...permissions, adminAccess: true },
      },
    },
  },
};

/** Publishes versions 2 to 4. Version 1 is the one that the skill came with. */
async function publish(admin: Visitor): Promise<void> {
  const write = (path: string, body: string) =>
    admin(`/api/admin/skills/${skill}/files/${path}`, { method: 'PUT', body });
  await write('references/format.md', 'A new format.\n');
  await write('scripts/say.sh', 'echo "from the new script"\n');
  await write('SKILL.md', skillFile(skill, 'Sorts zeppelins.', 'Do it now.'));
}

/** The texts of the skill that a caller gets by each door, by name of the door. */
async function readDoors(server: TestServer, owner: Visitor, app = '') {
  const { key, program } = await makeKey(server, owner, ['chat', 'skills', 'mcp']);
  const inApp = app && `&app=${app}`;
  const text = async (path: string, visitor = owner) =>
    (await visitor(`/api/skills${path}`)).text();
  const { client, skills } = await connectMcp(server, { token: key });
  const found = await parseAnswer(skillsApi.list.response, owner('/api/skills?query=zeppelins'));
  const json = {
    model: app || 'chat',
    messages: [{ role: 'user', content: 'Go' }],
    metadata: { skills: skill },
  };
  await program('/v1/chat/completions', { json });
  const read = async (uri: string) => JSON.stringify(await client.readResource({ uri }));
  return {
    palette: await text(`?limit=50${inApp}`),
    search: JSON.stringify(found.items.filter(({ name }) => name === skill)),
    details: await text(`/${skill}?${inApp}`),
    instructions: await text(`/${skill}/content?${inApp}`),
    file: await text(`/${skill}/files/references/format.md?${inApp}`),
    fileOfProgram: await text(`/${skill}/files/references/format.md?${inApp}`, program),
    mcp: await read(`skill://${skill}/SKILL.md`),
    mcpFile: await read(`skill://${skill}/references/format.md`),
    mcpList: JSON.stringify((await skills.list()).skills),
    v1: JSON.stringify(chat.model.requests.at(-1)),
  };
}

const isNew = /Sorts zeppelins|Do it now|A new format|"knowhow\/version":4/;
const isOld =
  /Turns notes into decisions|Do the first thing|One decision a line|"knowhow\/version":1/;

/** The doors whose text matches. */
const matching = (doors: Record<string, string>, words: RegExp) =>
  Object.keys(doors).filter((door) => words.test(doors[door] ?? ''));

test('every door of an app with a pin gives the text and the files of that version', async () => {
  await chat.start([says('Hi.')], { 'apps/chat.json': pinned });
  const admin = await signInAdmin(chat.server);
  await publish(admin);
  const doors = await readDoors(chat.server, admin, 'chat');
  // A search over all apps.
  const { search: _, ...others } = doors;
  expect(matching(doors, isNew)).toEqual([]);
  expect(matching(doors, isOld)).toEqual(expect.arrayContaining(Object.keys(others)));
});

test('a preview reaches the members of its groups only, by every door', async () => {
  await chat.start([says('Hi.')], {
    ...groups,
    'apps/chat.json': { ...follows, id: 'chat' },
  });
  const admin = await signInAdmin(chat.server);
  await publish(admin);
  const [editor, reader] = await Promise.all(
    ['editors', 'readers'].map((group) =>
      signInNew(chat.server, admin, { username: `one-of-${group}`, groups: [group] }),
    ),
  );
  const json = { groups: ['editors'] };
  const started = await admin(`/api/skill-versions/${skill}/1/preview`, { json });
  expect(started.status).toBe(200);
  const forEditor = await readDoors(chat.server, editor?.visitor ?? admin);
  const forReader = await readDoors(chat.server, reader?.visitor ?? admin);
  expect(matching(forEditor, isNew)).toEqual([]);
  expect(matching(forReader, isOld)).toEqual([]);
  expect(matching(forEditor, isOld)).toEqual(
    expect.arrayContaining(['palette', 'instructions', 'file', 'fileOfProgram', 'mcp', 'v1']),
  );
  expect(matching(forReader, isNew)).toEqual(Object.keys(forReader));
});

describe.runIf(sandbox)('scripts of a pinned version', () => {
  test('run instead of the published ones, and with the files of that version', async () => {
    const run = calls(['run_skill_script', { skill_name: skill, script: 'scripts/say.sh' }]);
    const model = scriptedModel(run, says('.'), run, says('.'));
    const scripts = {
      ...groups,
      'apps/chat.json': pinned,
      'apps/other.json': follows,
      [`skills/${skill}/scripts/say.sh`]:
        'echo "from the old script"; cat "$SKILL_DIR/references/format.md"\n',
      'config/skills.json': {
        settings: { allowScriptExecution: true },
        skills: { [skill]: { allowScriptExecution: true } },
      },
    };
    const environment = { SCRIPT_RUNNER: 'auto' };
    const server = await startTestServer({ model: model.ask, environment, files: scripts });
    onTestFinished(server.close);
    const admin = await signInAdmin(server);
    await publish(admin);
    const use = async (app: string) => {
      const conversationId = crypto.randomUUID();
      const turn = takeTurn(admin, { app, conversationId, message: 'Go', skills: [skill] });
      const consent = `/api/conversations/${conversationId}/consents/call-0`;
      await expect
        .poll(async () => (await admin(consent, { json: { decision: 'once' } })).ok)
        .toBe(true);
      await turn;
      return JSON.stringify(model.requests.at(-1)?.messages.at(-1));
    };
    const old = await use('chat');
    expect(old).toContain('from the old script');
    expect(old).toContain('One decision a line.');
    expect(await use('other')).toContain('from the new script');
  });
});

test('a restored backup has the pins and previews, and the contents of their versions', async () => {
  const previews = { [skill]: { version: 2, groups: ['editors'] } };
  await chat.start([says('Hi.')], {
    ...groups,
    'apps/chat.json': pinned,
    'apps/other.json': follows,
    'config/skills.json': { previews },
  });
  const admin = await signInAdmin(chat.server);
  await publish(admin);
  const backup = await exportBackup(admin, '?data=true');

  const fresh = await startTestServer();
  onTestFinished(fresh.close);
  expect((await importBackup(await signInAdmin(fresh), backup)).restored).toBe(true);
  const restored = await signInAdmin(fresh);
  const json = { username: 'ed', name: 'Ed', password: 'a long password', groups: ['editors'] };
  await restored('/api/admin/users', { json });
  const editor = fresh.visitor();
  await editor('/api/auth/login', { json: { username: 'ed', password: 'a long password' } });
  const file = async (visitor: Visitor, app: string) =>
    (await visitor(`/api/skills/${skill}/files/references/format.md?app=${app}`)).text();
  const body = async (visitor: Visitor, app: string) =>
    (await visitor(`/api/skills/${skill}/content?app=${app}`)).text();
  expect(await file(restored, 'chat')).toContain('One decision a line.');
  expect(await body(restored, 'chat')).toContain('Do the first thing');
  expect(await body(restored, 'other')).toContain('Do it now.');
  // Version 2 has the old instructions and the new file.
  expect(await body(editor, 'other')).toContain('Do the first thing');
  expect(await file(editor, 'other')).toContain('A new format.');
});

test('a pin to a version that the backup does not contain is a fault after the restore', async () => {
  await chat.start([says('Hi.')], { 'apps/chat.json': pinned });
  const admin = await signInAdmin(chat.server);
  await publish(admin);
  const backup = await exportBackup(admin);
  const fresh = await startTestServer();
  onTestFinished(fresh.close);
  await importBackup(await signInAdmin(fresh), backup);
  const restored = await signInAdmin(fresh);
  const file = join(fresh.folder, 'contents/apps/chat.json');
  await writeFile(file, JSON.stringify({ ...pinned, skills: [{ name: skill, version: 9 }] }));
  await expect
    .poll(async () => (await restored('/api/admin/faults')).text())
    .toContain('has no version 9');
  const skills = await parseAnswer(skillsApi.list.response, restored('/api/skills?app=chat'));
  expect(skills.items).toEqual([]);
});

test('a pin to a version whose contents are lost is a fault, and the version names the file', async () => {
  await chat.start([says('Hi.')], { 'apps/chat.json': { ...follows, id: 'chat' } });
  const admin = await signInAdmin(chat.server);
  await publish(admin);
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  const lost = createHash('sha256').update('One decision a line.\n').digest('base64url');
  await database.deleteFrom('skill_blobs').where('digest', '=', lost).execute();
  await database.destroy();
  await admin('/api/admin/apps/chat', { method: 'PUT', json: pinned });

  const skills = await parseAnswer(skillsApi.list.response, admin('/api/skills?app=chat'));
  expect(skills.items).toEqual([]);
  await expect
    .poll(async () => (await admin('/api/admin/faults')).text())
    .toContain('Version 1 of skill \\"meeting-notes\\" is not completely stored');
  const { files } = await parseAnswer(
    skillVersionsApi.get.response,
    admin(`/api/skill-versions/${skill}/1`),
  );
  expect(files.filter(({ isMissing }) => isMissing).map(({ path }) => path)).toEqual([
    'references/format.md',
  ]);
});
