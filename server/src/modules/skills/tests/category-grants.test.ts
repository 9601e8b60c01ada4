import { adminApi } from '@knowhow/shared/config/admin';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { libraryApi } from '@knowhow/shared/skills/library';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { expect, test } from 'vitest';
import { makeKey } from '../../../testing/make-key.ts';
import { connectMcp } from '../../../testing/mcp-client.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();
const text = (name: string, category?: string) =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${category ? `category: ${category}\n` : ''}---\n\nSteps of ${name}.\n`;
const group = (id: string, permissions: object, more: object = {}) => ({
  [id]: { id, name: id, permissions: { apps: ['*'], models: ['*'], ...permissions }, ...more },
});
const files = (publishing: object = {}) => ({
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] },
  'config/skills.json': { settings: { publishing } },
  'config/groups.json': {
    groups: {
      ...group('admins', { skills: ['*'], adminAccess: true }),
      ...group('hr', { skills: ['plain'], skillCategories: ['hr'] }),
      ...group('heirs', {}, { inherits: ['hr'] }),
      ...group('others', { skills: ['plain'] }),
      ...group('authors', { skillCategories: ['HR'], adminAccess: ['skills'] }),
    },
  },
  'skills/leave/SKILL.md': text('leave', 'HR'),
  'skills/notes/SKILL.md': text('notes', 'Office'),
  'skills/plain/SKILL.md': text('plain'),
});

async function start(publishing?: object) {
  await chat.start(
    Array.from({ length: 8 }, () => says('Done.')),
    files(publishing),
  );
  const admin = await signInAdmin(chat.server);
  const person = async (username: string, groups: string[]) =>
    (await signInNew(chat.server, admin, { username, groups })).visitor;
  return {
    admin,
    hana: await person('hana', ['hr']),
    heir: await person('heir', ['heirs']),
    otto: await person('otto', ['others']),
    ann: await person('ann', ['authors']),
  };
}

const palette = async (visitor: Visitor) =>
  (await parseAnswer(skillsApi.list.response, visitor('/api/skills?limit=50'))).items
    .map(({ name }) => name)
    .sort();
const save = (visitor: Visitor, name: string, body: string) =>
  visitor(`/api/admin/skills/${name}/files/SKILL.md`, { method: 'PUT', body });

test('members see the skills of a granted category on every door, and no others', async () => {
  const { hana, heir, otto } = await start();
  expect(await palette(hana)).toEqual(['leave', 'plain']);
  expect(await palette(heir)).toEqual(['leave', 'plain']);
  expect(await palette(otto)).toEqual(['plain']);
  const library = async (visitor: Visitor) =>
    (await parseAnswer(libraryApi.list.response, visitor('/api/library'))).items
      .map(({ name }) => name)
      .sort();
  expect([await library(hana), await library(otto)]).toEqual([['leave', 'plain'], ['plain']]);
  for (const path of ['/api/library/leave', '/api/skills/leave']) {
    expect([path, (await hana(path)).status, (await otto(path)).status]).toEqual([path, 200, 404]);
  }
  expect((await hana('/api/skills/notes')).status).toBe(404);
  for (const [visitor, found] of [
    [hana, true],
    [otto, false],
  ] as const) {
    const { key, program } = await makeKey(chat.server, visitor, ['chat', 'skills', 'mcp']);
    const { skills } = await connectMcp(chat.server, { token: key });
    expect(JSON.stringify((await skills.list()).skills).includes('leave')).toBe(found);
    const json = {
      model: 'chat',
      messages: [{ role: 'user', content: 'Go' }],
      metadata: { skills: 'leave' },
    };
    const answer = await program('/v1/chat/completions', { json });
    expect(answer.ok).toBe(found);
  }
  await takeTurn(hana, { app: 'chat', message: 'Go', skills: ['leave'] });
  expect(JSON.stringify(chat.model.requests.at(-1))).toContain('Steps of leave.');
});

test('a new skill of the category is granted at once, and one that leaves it no longer', async () => {
  const { admin, hana } = await start();
  const json = { name: 'pay', description: 'Pays.', body: 'Pay.', metadata: { category: ' Hr ' } };
  expect((await admin('/api/admin/skills', { json })).status).toBe(201);
  expect(await palette(hana)).toEqual(['leave', 'pay', 'plain']);
  await save(admin, 'leave', text('leave', 'Office'));
  expect(await palette(hana)).toEqual(['pay', 'plain']);
});

test('an author gains no access by a category that was not published', async () => {
  const { admin, ann, hana } = await start({ mode: 'review' });
  const refused = await parseProblem(save(ann, 'notes', text('notes', 'HR')));
  expect(refused.code).toBe('review-required');
  const draft = '/api/skill-drafts/notes';
  const body = text('notes', 'HR');
  expect((await ann(`${draft}/files/SKILL.md`, { method: 'PUT', body })).status).toBe(200);
  const submitted = await ann(`${draft}/submit`, { json: { message: 'Moves it.' } });
  const { id } = (await submitted.json()) as { id: string };
  expect(await palette(ann)).toEqual(['leave']);
  expect(await palette(hana)).toEqual(['leave', 'plain']);
  expect((await ann(`/api/skill-reviews/${id}/approve`, { json: {} })).status).toBe(403);
  expect((await admin(`/api/skill-reviews/${id}/approve`, { json: {} })).status).toBe(200);
  expect(await palette(ann)).toEqual(['leave', 'notes']);
});

test('the category of the published version counts for a pin and a preview', async () => {
  const { admin, hana, otto } = await start();
  await save(admin, 'notes', text('notes', 'HR'));
  await save(admin, 'notes', text('notes', 'Law'));
  // Version 2 is in HR.
  const json = { groups: ['hr', 'others'] };
  expect((await admin('/api/skill-versions/notes/2/preview', { json })).status).toBe(200);
  expect(await palette(hana)).toEqual(['leave', 'plain']);
  const put = (config: object) =>
    admin('/api/admin/apps/chat', { method: 'PUT', json: { name: 'Chat', ...config } });
  expect((await put({ skills: ['*', { name: 'notes', version: 2 }] })).status).toBe(200);
  expect(await palette(hana)).toEqual(['leave', 'plain']);
  await save(admin, 'notes', text('notes', 'HR'));
  // Pinned to version 1, which is in another category.
  expect((await put({ skills: ['*', { name: 'notes', version: 1 }] })).status).toBe(200);
  expect(await palette(hana)).toEqual(['leave', 'notes', 'plain']);
  expect(await palette(otto)).toEqual(['plain']);
});

test('pages say which groups may use a skill by its category', async () => {
  const { admin } = await start();
  const detail = await parseAnswer(adminSkillsApi.get.response, admin('/api/admin/skills/leave'));
  expect(detail.groups.toSorted()).toEqual(['admins', 'authors', 'heirs', 'hr']);
  expect(detail.grantedByGroups).toEqual([]);
  const access = await parseAnswer(
    adminSkillsApi.access.response,
    admin('/api/admin/skills/leave/access'),
  );
  expect(access.cells.filter(({ sees }) => sees)).toEqual([
    { group: 'admins', app: 'chat', sees: true, rule: 'all-listed' },
    { group: 'hr', app: 'chat', sees: true, rule: 'all-listed' },
    { group: 'heirs', app: 'chat', sees: true, rule: 'all-listed', via: 'hr' },
    { group: 'authors', app: 'chat', sees: true, rule: 'all-listed' },
  ]);
  const trial = await parseAnswer(
    adminApi.tryAs.response,
    admin('/api/admin/try-as', { json: { app: 'chat', groups: ['hr'] } }),
  );
  expect(trial.skills.map(({ name }) => name).sort()).toEqual(['leave', 'plain']);
});

test('an empty category, and one for all, are refused with their place', async () => {
  const { admin } = await start();
  for (const name of ['*', ' ']) {
    const json = { name: 'hr', permissions: { skillCategories: ['HR', name] } };
    const refused = await parseProblem(admin('/api/admin/groups/hr', { method: 'PUT', json }));
    expect(refused.issues?.[0]?.path).toBe('permissions.skillCategories.1');
  }
});
