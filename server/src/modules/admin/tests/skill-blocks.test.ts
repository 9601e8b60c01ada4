import { randomUUID } from 'node:crypto';
import { adminApi } from '@knowhow/shared/config/admin';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillBlocksApi } from '@knowhow/shared/skills/skill-blocks';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { expect, test } from 'vitest';
import { connectMcp } from '../../../testing/mcp-client.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { defaultFiles, type Visitor } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { writeArchive } from '../../skills/archives/write-archive.ts';

const chat = scriptedChat();
const path = '/api/admin/skills/meeting-notes/block';
const block = (admin: Visitor, json: object = { reason: 'It leaks names.' }) =>
  admin(path, { method: 'PUT', json });
const unblock = (admin: Visitor) => admin(path, { method: 'DELETE' });
const stateOf = (admin: Visitor) => parseAnswer(skillBlocksApi.get.response, admin(path));
const namesFor = async (visitor: Visitor) =>
  (await parseAnswer(skillsApi.list.response, visitor('/api/skills'))).items.map(
    ({ name }) => name,
  );

async function importFiles(admin: Visitor, given: Record<string, string>, query = '') {
  const packed = Object.entries(given).map(([file, text]) => ({
    path: file,
    bytes: Buffer.from(text),
    executable: false,
  }));
  const zip = await writeArchive('meeting-notes', packed, 'zip');
  return postArchive(admin, `import?overwrite=true${query}`, zip, 'application/zip');
}

test('a blocked skill is used by no door, and works again once it is unblocked', async () => {
  await chat.start([says('Hi.')]);
  const admin = await signInAdmin(chat.server);
  expect((await block(admin)).status).toBe(200);
  expect(await namesFor(chat.visitor)).toEqual(['release-notes']);
  expect((await chat.visitor('/api/skills/meeting-notes')).status).toBe(404);
  const refused = await takeTurn(chat.visitor, { message: 'Hi', skills: ['meeting-notes'] });
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([404, 'not-found']);
  await takeTurn(chat.visitor, { message: 'Hi' });
  expect(chat.sent(0)).not.toContain('meeting-notes');
  const { skills } = await connectMcp(chat.server);
  expect((await skills.list()).skills.map(({ uri }) => uri)).toEqual([
    'skill://release-notes/SKILL.md',
  ]);
  expect((await unblock(admin)).status).toBe(200);
  expect(await namesFor(chat.visitor)).toEqual(['meeting-notes', 'release-notes']);
  expect((await skills.list()).skills.map(({ uri }) => uri)).toContain(
    'skill://meeting-notes/SKILL.md',
  );
});

test('an administrator sees why, by whom and whom it affects, and can change the reason', async () => {
  await chat.start([says('Hi.')]);
  const admin = await signInAdmin(chat.server);
  expect(await stateOf(admin)).toMatchObject({ exists: true, apps: ['chat'], uses: 0 });
  await block(admin);
  await block(admin, { reason: 'It leaks names and numbers.', tellUsers: true });
  const detail = await parseAnswer(
    adminSkillsApi.get.response,
    admin('/api/admin/skills/meeting-notes'),
  );
  const shown = { reason: 'It leaks names and numbers.', tellUsers: true, by: 'Admin' };
  expect(detail).toMatchObject({ status: 'blocked', block: shown });
  expect(detail.apps).toEqual(['chat']);
  const list = await parseAnswer(
    adminSkillsApi.list.response,
    admin('/api/admin/skills?status=blocked'),
  );
  expect(list.items.map(({ name }) => name)).toEqual(['meeting-notes']);
  expect(list.facets.statuses).toMatchObject({ on: 1, blocked: 1 });
  await unblock(admin);
  const audit = await parseAnswer(adminApi.audit.response, admin('/api/admin/audit?limit=3'));
  expect(audit.items.map(({ action, target }) => `${action} ${target}`)).toEqual([
    'unblocked meeting-notes',
    'block-changed meeting-notes',
    'blocked meeting-notes',
  ]);
});

test.each([
  ['the reason if the administrator says so', true, 'It leaks names.'],
  ['only that it was withdrawn otherwise', false, undefined],
])('users of a conversation with it read %s', async (_, tellUsers, note) => {
  await chat.start([says('One.'), says('Two.')]);
  const admin = await signInAdmin(chat.server);
  const conversationId = randomUUID();
  await takeTurn(chat.visitor, { conversationId, message: 'Go', skills: ['meeting-notes'] });
  await block(admin, { reason: 'It leaks names.', tellUsers });
  const { events } = await takeTurn(chat.visitor, { conversationId, message: 'And now?' });
  const ended = { name: 'meeting-notes', reason: 'blocked', ...(note ? { note } : {}) };
  expect(events).toContainEqual({ type: 'skill.ended', ...ended });
  expect(chat.sent(1)).not.toContain('Do the first thing');
  const readAgain = await readConversation(chat.visitor, conversationId);
  expect(readAgain.messages.at(-1)).toMatchObject({ ended: [ended] });
});

test('a running answer loses it at its next request, and cannot read its files', async () => {
  let admin: Visitor | undefined;
  const readFile = calls([
    'read_skill_resource',
    { skill_name: 'meeting-notes', file_path: 'references/format.md' },
  ]);
  await chat.start([
    [async () => void (admin && (await block(admin))), ...readFile],
    says('Done without it.'),
  ]);
  admin = await signInAdmin(chat.server);
  const { events } = await takeTurn(chat.visitor, { message: 'Go', skills: ['meeting-notes'] });
  expect(chat.sent(0)).toContain('Do the first thing');
  expect(chat.sent(1)).not.toContain('Do the first thing');
  expect(chat.sent(1)).not.toContain('One decision');
  expect(events).toContainEqual({
    type: 'skill.ended',
    name: 'meeting-notes',
    reason: 'blocked',
  });
});

test('its files cannot be imported or copied under any name, but changed ones can', async () => {
  await chat.start([says('Hi.')]);
  const admin = await signInAdmin(chat.server);
  await block(admin);
  const files = {
    'SKILL.md': defaultFiles['skills/meeting-notes/SKILL.md'],
    'references/format.md': defaultFiles['skills/meeting-notes/references/format.md'],
  };
  const same = await importFiles(admin, files);
  expect(same.status).toBe(409);
  expect(await parseProblem(same)).toMatchObject({
    code: 'skill-blocked',
    detail: expect.stringContaining('It leaks names.'),
  });
  const renamed = await importFiles(admin, files, '&rename=meeting-notes:copy');
  expect([renamed.status, (await parseProblem(renamed)).code]).toEqual([409, 'skill-blocked']);
  const copy = await admin('/api/admin/skills/meeting-notes/duplicate', { json: { name: 'copy' } });
  expect(copy.status).toBe(409);
  const fixed = await importFiles(admin, { ...files, 'references/format.md': 'No names.\n' });
  expect(fixed.status).toBe(200);
  expect(await namesFor(chat.visitor)).toEqual(['release-notes']);
});

test('a block outlives its skill, until it is ended', async () => {
  await chat.start([says('Hi.')]);
  const admin = await signInAdmin(chat.server);
  await block(admin);
  expect((await admin('/api/admin/skills/meeting-notes', { method: 'DELETE' })).status).toBe(200);
  expect(await stateOf(admin)).toMatchObject({
    exists: false,
    block: { reason: 'It leaks names.' },
  });
  const json = { name: 'meeting-notes', description: 'Takes notes.', body: 'Take notes.' };
  expect((await admin('/api/admin/skills', { json })).status).toBe(201);
  expect(await namesFor(chat.visitor)).toEqual(['release-notes']);
  await unblock(admin);
  expect((await unblock(admin)).status).toBe(404);
});

test('a block needs a reason and an existing skill', async () => {
  await chat.start([says('Hi.')]);
  const admin = await signInAdmin(chat.server);
  expect((await block(admin, { reason: ' ' })).status).toBe(400);
  expect((await block(admin, { reason: 'x'.repeat(1001) })).status).toBe(400);
  const missing = admin('/api/admin/skills/none/block', { method: 'PUT', json: { reason: 'x' } });
  expect((await missing).status).toBe(404);
  expect((await admin('/api/admin/skills/none/block')).status).toBe(404);
});

test('a block in the file counts, with only a reason', async () => {
  const skill = skillFile('meeting-notes', 'Turns notes into decisions.');
  await chat.start([says('Hi.')], {
    'skills/meeting-notes/SKILL.md': skill,
    'config/skills.json': { skills: {}, blocked: { 'meeting-notes': { reason: 'By hand.' } } },
  });
  expect(await namesFor(chat.visitor)).toEqual(['release-notes']);
  const admin = await signInAdmin(chat.server);
  expect((await stateOf(admin)).block).toEqual({ reason: 'By hand.', tellUsers: false });
});

test('a block is found and ended under other spellings of its name', async () => {
  await chat.start([says('Hi.')]);
  const admin = await signInAdmin(chat.server);
  const spelled = '/api/admin/skills/Meeting%20Notes/block';
  expect((await admin(spelled, { method: 'PUT', json: { reason: 'Bad.' } })).status).toBe(200);
  expect(await namesFor(chat.visitor)).toEqual(['release-notes']);
  expect((await admin('/api/admin/skills/meeting-notes', { method: 'DELETE' })).status).toBe(200);
  const state = await parseAnswer(skillBlocksApi.get.response, admin(spelled));
  expect(state).toMatchObject({ name: 'meeting-notes', exists: false, block: { reason: 'Bad.' } });
  expect((await admin(spelled, { method: 'DELETE' })).status).toBe(200);
  expect((await admin(spelled)).status).toBe(404);
});

test('a reason keeps its lines, and loses characters that hide or reorder text', async () => {
  await chat.start([says('Hi.')]);
  const admin = await signInAdmin(chat.server);
  await block(admin, { reason: 'One.\n\u202eT\u0007w\u200bo\u001b.\ud800 <b>Three</b>\u2028' });
  expect((await stateOf(admin)).block?.reason).toBe('One.\nTwo. <b>Three</b>');
  for (const reason of ['\u0000', '\u200b\u200b', '\u202e \n']) {
    expect((await block(admin, { reason })).status).toBe(400);
  }
});

test('an administrator of skills alone blocks and unblocks; one of other things cannot', async () => {
  const groupWith = (id: string) => ({ id, name: id, permissions: { adminAccess: [id] } });
  const admins = { id: 'admins', name: 'Admins', permissions: { adminAccess: true } };
  const groups = { admins, skills: groupWith('skills'), users: groupWith('users') };
  await chat.start([says('Hi.')], { 'config/groups.json': { groups } });
  const admin = await signInAdmin(chat.server);
  const member = async (group: string) =>
    (await signInNew(chat.server, admin, { username: `of-${group}`, groups: [group] })).visitor;
  const [author, other] = [await member('skills'), await member('users')];
  expect((await block(other)).status).toBe(403);
  expect((await block(author)).status).toBe(200);
  expect((await stateOf(author)).block).toMatchObject({ reason: 'It leaks names.' });
  expect((await unblock(other)).status).toBe(403);
  expect((await unblock(author)).status).toBe(200);
});

test('a mistake in the file does not end its blocks when the server starts', async () => {
  const blocked = { 'meeting-notes': { reason: 'By hand.' }, 'release-notes': { reason: 7 } };
  const skills = { 'meeting-notes': { enabled: 'yes' } };
  await chat.start([says('Hi.')], { 'config/skills.json': { skills, blocked } });
  expect(await namesFor(chat.visitor)).toEqual([]);
  const admin = await signInAdmin(chat.server);
  expect((await stateOf(admin)).block?.reason).toBe('By hand.');
});
