import { trialSchema } from '@knowhow/shared/config/admin';
import { adminSkillDetailSchema, skillAccessSchema } from '@knowhow/shared/skills/admin-skill';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();
const appWith = (skills: string[], skillSettings: object = {}) => ({
  'apps/chat.json': { id: 'chat', name: 'Chat', skills, skillSettings },
});

/** The model's first request in an app with these files. */
async function firstRequest(files: Record<string, unknown>) {
  await chat.start([says('Hi.')], files);
  await takeTurn(chat.visitor, { message: 'A' });
  const [request] = chat.model.requests;
  if (!request) {
    throw new Error('The model was not asked.');
  }
  return request;
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/<name>(.*)<\/name>/g)].map(([, name = '']) => name);
}

test("the catalogue lists the app's own skills in its order, then inherited ones", async () => {
  const { system } = await firstRequest({
    ...appWith(['release-notes', 'meeting-notes']),
    'skills/agenda/SKILL.md': skillFile('agenda', 'Plans a meeting.'),
    'config/skills.json': {
      skills: { agenda: { global: true }, 'meeting-notes': { priority: 9 } },
    },
  });
  expect(namesIn(system)).toEqual(['release-notes', 'meeting-notes', 'agenda']);
});

test('an app that offers all skills can put some of them first', async () => {
  const { system } = await firstRequest(appWith(['*', 'release-notes']));
  expect(namesIn(system)).toEqual(['release-notes', 'meeting-notes']);
});

test('an app excludes inherited skills, and still offers those it lists', async () => {
  const files = {
    ...appWith(['*', 'agenda'], {
      exclude: ['release-notes', 'agenda'],
      autoInject: ['release-notes'],
    }),
    'skills/agenda/SKILL.md': skillFile('agenda', 'Plans a meeting.'),
  };
  const { system } = await firstRequest(files);
  expect(namesIn(system)).toEqual(['agenda', 'meeting-notes']);
  const refused = await takeTurn(chat.visitor, { message: 'A', skills: ['release-notes'] });
  expect(refused.status).toBe(404);
});

test.each([
  ['/bulk', { json: { action: 'assign', kind: 'apps', id: 'chat', names: ['release-notes'] } }],
  ['/release-notes', { method: 'PUT', json: { apps: ['chat'] } }],
])('excludes a global skill from one app, and assigns it there by %s', async (path, call) => {
  await chat.start([], {
    ...appWith(['meeting-notes'], { exclude: ['release-notes'] }),
    'apps/desk.json': { id: 'desk', name: 'Desk' },
    'config/skills.json': { skills: { 'release-notes': { global: true } } },
  });
  const admin = await signInAdmin(chat.server);
  const page = () => parseAnswer(adminSkillDetailSchema, admin('/api/admin/skills/release-notes'));
  expect((await page()).apps).toEqual(['desk']);
  const access = await parseAnswer(
    skillAccessSchema,
    admin('/api/admin/skills/release-notes/access'),
  );
  expect(access.cells).toContainEqual(
    expect.objectContaining({ group: 'admins', app: 'chat', sees: false, rule: 'excluded' }),
  );
  expect((await admin(`/api/admin/skills${path}`, call)).status).toBe(200);
  expect((await page()).apps).toEqual(['chat', 'desk']);
});

test('an app can omit the catalogue: a skill is then activated only by name', async () => {
  await chat.start(
    [calls(['activate_skill', { skill_name: 'meeting-notes' }]), says('Done.')],
    appWith(['*'], { catalog: false }),
  );
  await takeTurn(chat.visitor, { message: 'Sort my notes' });
  const [first, second] = chat.model.requests;
  expect(first?.system).not.toContain('available_skills');
  expect(JSON.stringify(first)).not.toContain('meeting-notes');
  expect(first?.tools.map(({ name }) => name)).toContain('activate_skill');
  expect(second?.messages.at(-1)?.content).toContain('<skill_content name="meeting-notes">');
});

test('an app can show the source of skills in the catalogue', async () => {
  const source = /<name>meeting-notes<\/name>\n.*\n {4}<source>local<\/source>\n {2}<\/skill>/;
  expect((await firstRequest(appWith(['*'], { showSource: true }))).system).toMatch(source);
  await chat.server.close();
  expect((await firstRequest(appWith(['*']))).system).not.toContain('<source>');
});

test('tells the model what to do next about an unavailable skill', async () => {
  const manual = skillFile('manual', 'By hand.').replace(
    'description:',
    'disable-model-invocation: true\ndescription:',
  );
  await chat.start(
    [
      calls(['read_skill_resource', { skill_name: 'none', file_path: 'a.md' }]),
      calls(['fly', {}]),
      says('Well.'),
    ],
    { ...appWith(['manual']), 'skills/manual/SKILL.md': manual },
  );
  await takeTurn(chat.visitor, { message: 'A' });
  const answers = chat.model.requests.slice(1).map(({ messages }) => messages.at(-1)?.content);
  expect(answers).toEqual([
    'Skill "none" is not available. No skills available. Answer without one, and tell the user that an administrator can add skills to this app.',
    'There is no tool "fly". Available tools: read_skill_resource. Call one of these, or answer without a tool.',
  ]);
});

test('administrators see the same when they try an app as someone else', async () => {
  await chat.start(
    [says('Hi.')],
    appWith(['*'], { catalog: false, autoInject: ['meeting-notes'] }),
  );
  const admin = await signInAdmin(chat.server);
  const json = { app: 'chat', groups: ['anonymous'] };
  const tried = await parseAnswer(trialSchema, admin('/api/admin/try-as', { json }));
  expect(tried.catalogue).toBe('');
  expect(tried.skills).toMatchObject([
    { name: 'meeting-notes', inCatalogue: false, isAlwaysUsed: true },
    { name: 'release-notes', inCatalogue: false, isAlwaysUsed: false },
  ]);
});

test('an app without skill selection offers none, and rejects one that is named', async () => {
  const files = appWith(['*'], { allowUserSelection: false });
  await chat.start(
    [calls(['activate_skill', { skill_name: 'meeting-notes' }]), says('Hi.')],
    files,
  );
  const refused = await takeTurn(chat.visitor, { message: 'A', skills: ['meeting-notes'] });
  expect(refused.status).toBe(404);
  const { items } = await parseAnswer(
    skillsApi.list.response,
    chat.visitor('/api/skills?app=chat'),
  );
  expect(items.map(({ userInvocable }) => userInvocable)).toEqual([false, false]);
  const { events } = await takeTurn(chat.visitor, { message: 'A' });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'skill.activation', name: 'meeting-notes', via: 'model' }),
  );
});

test.each(['Minutes & More', 'minutes & more', ' MINUTES & MORE '])(
  'a skill is found by its display name %j',
  async (name) => {
    await chat.start([says('Hi.')], {
      'config/skills.json': {
        skills: { 'meeting-notes': { overrides: { displayName: 'Minutes & More' } } },
      },
    });
    const found = await parseAnswer(
      skillsApi.get.response,
      chat.visitor(`/api/skills/${encodeURIComponent(name)}`),
    );
    expect(found.name).toBe('meeting-notes');
    const turn = await takeTurn(chat.visitor, { message: 'A', skills: [name] });
    expect(turn.events).toContainEqual(
      expect.objectContaining({ type: 'skill.activation', name: 'meeting-notes' }),
    );
  },
);

test('rejecting too many skills names only those that were active before', async () => {
  await chat.start([says('Hi.'), says('Hi.')], appWith(['*'], { maxActiveSkills: 1 }));
  const both = { message: 'A', skills: ['meeting-notes', 'release-notes'] };
  const first = await takeTurn(chat.visitor, both);
  expect(first.status).toBe(409);
  expect(first.body).toContain('At most 1 skill can be active here. Choose fewer skills');
  const { conversationId } = await takeTurn(chat.visitor, {
    ...{ message: 'A', skills: ['meeting-notes'] },
  });
  const second = await takeTurn(chat.visitor, {
    ...{ message: 'B', conversationId, skills: ['release-notes'] },
  });
  expect(second.body).toContain('Deactivate one of these first, or choose fewer: meeting-notes.');
});
