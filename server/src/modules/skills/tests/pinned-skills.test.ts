import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { healthApi } from '@knowhow/shared/config/health';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { expect, test } from 'vitest';
import { connectMcp } from '../../../testing/mcp-client.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const chat = scriptedChat();
const pin = (version: number, name = 'meeting-notes') => ({ name, version });
const app = (id: string, skills: unknown[]) => ({
  [`apps/${id}.json`]: { id, name: id, skills },
});
const write = (admin: Visitor, path: string, body: string) =>
  admin(`/api/admin/skills/meeting-notes/${path}`, { method: 'PUT', body });

/** Writes the text and a file of the skill: versions 2 and 3, the one it came with being 1. */
async function rewrite(admin: Visitor) {
  await write(admin, 'files/SKILL.md', skillFile('meeting-notes', 'Is new.', 'Do it now.'));
  await write(admin, 'files/references/format.md', 'A new format.\n');
}

const read = calls([
  'read_skill_resource',
  { skill_name: 'meeting-notes', file_path: 'references/format.md' },
]);
const use = (appId: string) =>
  takeTurn(chat.visitor, { app: appId, message: 'Go', skills: ['meeting-notes'] });
const described = async (appId: string) =>
  (
    await parseAnswer(skillsApi.list.response, chat.visitor(`/api/skills?app=${appId}`))
  ).items.flatMap(({ name, description }) => (name === 'meeting-notes' ? [description] : []));
const faultsOf = async (admin: Visitor) =>
  (await parseAnswer(healthApi.faults.response, admin('/api/admin/faults'))).items.map(
    ({ path, message }) => [path, message],
  );
const numbers = async (admin: Visitor) =>
  (
    await parseAnswer(skillVersionsApi.list.response, admin('/api/skill-versions/meeting-notes'))
  ).items.map(({ number }) => number);

test('a pinned app keeps the text and files of its version, and other apps follow', async () => {
  await chat.start([read, says('Old.'), read, says('New.')], {
    ...app('chat', [pin(1)]),
    ...app('other', ['*']),
  });
  const admin = await signInAdmin(chat.server);
  await rewrite(admin);

  await use('chat');
  expect(chat.sent(0)).toContain('Do the first thing');
  expect(chat.sent(1)).toContain('One decision a line.');
  await use('other');
  expect(chat.sent(2)).toContain('Do it now.');
  expect(chat.sent(3)).toContain('A new format.');
  expect(await described('other')).toEqual(['Is new.']);
  expect(await described('chat')).not.toContain('Is new.');
  expect(await faultsOf(admin)).toEqual([]);
});

test('programs that see several apps get the pinned version if all apps agree', async () => {
  await chat.start([says('Hi.')], { ...app('chat', [pin(1)]), ...app('other', ['*']) });
  const admin = await signInAdmin(chat.server);
  await rewrite(admin);
  // Clients cache what they have read.
  const text = async () => {
    const { client } = await connectMcp(chat.server);
    return JSON.stringify(await client.readResource({ uri: 'skill://meeting-notes/SKILL.md' }));
  };
  const versionIn = async () => {
    const { skills } = await connectMcp(chat.server);
    return JSON.stringify((await skills.list()).skills);
  };
  expect(await text()).toContain('Do it now.');
  expect(await versionIn()).toContain('"knowhow/version":3');
  const file = join(chat.server.folder, 'contents/apps/other.json');
  await writeFile(file, JSON.stringify({ id: 'other', name: 'other', skills: ['*', pin(1)] }));
  await waitFor(async () => (await text()).includes('Do the first thing'));
  expect(await versionIn()).toContain('"knowhow/version":1');
});

test('a pin to a version that does not exist offers nothing, and is a fault', async () => {
  await chat.start([says('Hi.')], app('chat', [pin(9), pin(1, 'none'), 'release-notes']));
  const admin = await signInAdmin(chat.server);
  expect(await described('chat')).toEqual([]);
  const path = 'contents/apps/chat.json';
  expect(await faultsOf(admin)).toEqual([
    [path, expect.stringMatching(/^Skill "meeting-notes" has no version 9/)],
    [path, expect.stringMatching(/^There is no skill "none"/)],
  ]);
});

test('a pinned version is never pruned, and a block stops it', async () => {
  await chat.start([says('Hi.')], {
    ...app('chat', [pin(1)]),
    'config/skills.json': { settings: { versions: { keep: 1 } } },
  });
  const admin = await signInAdmin(chat.server);
  await rewrite(admin);
  expect(await numbers(admin)).toEqual([3, 1]);
  expect(await described('chat')).toHaveLength(1);
  const json = { reason: 'It leaks names.' };
  await admin('/api/admin/skills/meeting-notes/block', { method: 'PUT', json });
  expect(await described('chat')).toEqual([]);
});

test('a version is not pruned that a text editor has just pinned or put into preview', async () => {
  const keep = { settings: { versions: { keep: 1 } } };
  await chat.start([says('Hi.')], { ...app('chat', ['*']), 'config/skills.json': keep });
  const admin = await signInAdmin(chat.server);
  await rewrite(admin);
  const save = (path: string, content: unknown) =>
    writeFile(join(chat.server.folder, 'contents', path), JSON.stringify(content));
  await save('apps/chat.json', app('chat', [pin(3)])['apps/chat.json']);
  await write(admin, 'files/references/format.md', 'Another format.\n');
  expect(await numbers(admin)).toEqual([4, 3]);
  const previews = { 'meeting-notes': { version: 4, groups: ['admins'] } };
  await save('config/skills.json', { ...keep, previews });
  await write(admin, 'files/references/format.md', 'One more format.\n');
  expect(await numbers(admin)).toEqual([5, 4, 3]);
});

test('assigning skills keeps pins, and unassigning removes them', async () => {
  await chat.start([says('Hi.')], app('chat', [pin(1)]));
  const admin = await signInAdmin(chat.server);
  await rewrite(admin);
  const change = (action: string, name: string) =>
    admin('/api/admin/skills/bulk', {
      json: { action, names: [name], kind: 'apps', id: 'chat' },
    });
  await change('assign', 'release-notes');
  expect(await described('chat')).not.toContain('Is new.');
  const skill = await admin('/api/admin/skills/meeting-notes');
  expect(await skill.json()).toMatchObject({ pins: [{ app: 'chat', version: 1 }] });
  await change('unassign', 'meeting-notes');
  expect(await described('chat')).toEqual([]);
});

test('members of a group get the version in preview, and others the published one', async () => {
  const skills = { previews: { 'meeting-notes': { version: 1, groups: ['admins', 'missing'] } } };
  await chat.start([says('Hi.')], { 'config/skills.json': skills });
  const admin = await signInAdmin(chat.server);
  await rewrite(admin);
  const forAdmin = await parseAnswer(skillsApi.list.response, admin('/api/skills'));
  expect(forAdmin.items.map(({ description }) => description)).not.toContain('Is new.');
  expect(await described('chat')).toEqual(['Is new.']);
  expect(await faultsOf(admin)).toEqual([
    ['contents/config/skills.json', expect.stringMatching(/^There is no group "missing"/)],
  ]);
});

test('a preview is started and ended over the API, also when its version is restored', async () => {
  await chat.start([says('Hi.')]);
  const admin = await signInAdmin(chat.server);
  await rewrite(admin);
  const preview = (number: number, groups: string[]) =>
    admin(`/api/skill-versions/meeting-notes/${number}/preview`, { json: { groups } });
  const isPreviewed = async () => !(await (await admin('/api/skills')).text()).includes('Is new.');

  expect((await preview(9, ['admins'])).status).toBe(404);
  expect((await preview(1, ['missing'])).status).toBe(400);
  expect(await isPreviewed()).toBe(false);
  expect(await (await preview(1, ['admins'])).json()).toMatchObject({
    preview: { version: 1, groups: ['admins'] },
  });
  expect(await isPreviewed()).toBe(true);
  expect(await described('chat')).toEqual(['Is new.']);
  const skill = await admin('/api/admin/skills/meeting-notes');
  expect(await skill.json()).toMatchObject({
    pins: [],
    preview: { version: 1, groups: ['admins'] },
  });
  await preview(1, []);
  expect(await isPreviewed()).toBe(false);

  await preview(1, ['admins']);
  await admin('/api/skill-versions/meeting-notes/1/restore', { method: 'POST' });
  await write(admin, 'files/SKILL.md', skillFile('meeting-notes', 'Is new.', 'Do it now.'));
  expect(await isPreviewed()).toBe(false);
});
