import { adminApi } from '@knowhow/shared/config/admin';
import { expect, test } from 'vitest';
import { readTrace, whySkill } from '../../../testing/read-trace.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { Files } from '../../../testing/write-files.ts';

const everything = { apps: ['*'], models: ['*'], prompts: ['*'] };
const count = 40;
const about = (at: number) =>
  `Looks after invoices of team ${at}, as agreed with them. Use it for all that team ${at} wants to have done with its invoices and letters.`;
const teams = Array.from({ length: count }, (_, at) => `team-${at}`);
const app = (id: string, fields: Record<string, unknown>): Files => ({
  [`apps/${id}.json`]: { id, name: id, skills: ['*'], ...fields },
});
const chat = scriptedChat({
  ...Object.fromEntries(
    teams.map((name, at) => [`skills/${name}/SKILL.md`, skillFile(name, about(at))]),
  ),
  'skills/zeppelins/SKILL.md': skillFile('zeppelins', 'Steers a zeppelin.'),
  'skills/not-granted/SKILL.md': skillFile('not-granted', 'Is for others.'),
  'skills/switched-off/SKILL.md': skillFile('switched-off', 'Is off.'),
  'skills/by-hand/SKILL.md':
    '---\nname: by-hand\ndescription: By hand.\ndisable-model-invocation: true\n---\nBy hand.',
  'config/skills.json': {
    settings: { catalogTokenBudget: 600 },
    skills: { 'switched-off': { enabled: false } },
  },
  'config/groups.json': {
    groups: {
      anonymous: {
        id: 'anonymous',
        name: 'Anonymous',
        permissions: {
          ...everything,
          skills: [...teams, 'zeppelins', 'by-hand', 'switched-off', 'meeting-notes'],
        },
      },
      admins: { id: 'admins', name: 'Admins', permissions: { ...everything, adminAccess: true } },
    },
  },
  ...app('chat', { skillSettings: { exclude: ['team-1'] } }),
  ...app('search', { skillSettings: { discoveryMode: 'search' } }),
  ...app('whole', { skillSettings: { discoveryMode: 'catalog' } }),
  ...app('without', { skillSettings: { catalog: false } }),
  ...app('ready', { description: 'For zeppelins' }),
  ...app('small', { skills: ['zeppelins', 'meeting-notes'] }),
  ...app('one', { skills: ['*'], skillSettings: { maxActiveSkills: 1 } }),
  'models/plain.json': {
    ...{ id: 'plain', modelId: 'plain', name: 'Plain', provider: 'local', supportsTools: false },
  },
});

/** Starts with these steps, and waits until the skills are indexed. */
async function start(...script: ReturnType<typeof says>[]) {
  await chat.start(script);
  const admin = await signInAdmin(chat.server);
  await waitFor(async () => {
    const json = { app: 'ready', groups: ['anonymous'] };
    const answer = await admin('/api/admin/try-as', { json });
    return adminApi.tryAs.response.parse(await answer.json()).catalogue.includes('zeppelins');
  });
  return admin;
}
const activate = (skill_name: string) => calls(['activate_skill', { skill_name }]);

test('of too many skills it shows which were listed, which exceeded the budget, and their rank', async () => {
  const admin = await start(says('Hello.'));
  const turn = await takeTurn(chat.visitor, { message: 'Look after the invoices' });
  const { rounds } = await readTrace(admin, turn);
  const { catalogue } = rounds[0] ?? {};
  expect(catalogue).toMatchObject({ mode: 'ranked', shortened: [], userOnly: ['by-hand'] });
  const { offered = [], leftOut = [] } = catalogue ?? {};
  // All teams except the one excluded from the app, zeppelins and meeting-notes.
  expect(offered.length + leftOut.length).toBe(count + 1);
  expect(catalogue?.totals.leftOut).toBe(leftOut.length);
  const best = offered[2] ?? '';
  expect(await whySkill(admin, turn, best)).toEqual({ outcome: 'not-chosen', rank: 3 });
  const [next = ''] = leftOut;
  expect(await whySkill(admin, turn, next)).toEqual({
    outcome: 'left-out',
    rule: 'budget',
    rank: offered.length + 1,
  });
  expect(await whySkill(admin, turn, next.toUpperCase())).toMatchObject({ outcome: 'left-out' });
  expect(await whySkill(admin, turn, 'zeppelins')).toEqual({ outcome: 'left-out', rule: 'budget' });
  expect(await whySkill(admin, turn, 'by-hand')).toEqual({
    outcome: 'left-out',
    rule: 'user-only',
  });
});

test('a skill suggested by a later message came with that message', async () => {
  const admin = await start(says('Hello.'));
  const { conversationId } = await takeTurn(chat.visitor, { message: 'Look after the invoices' });
  const turn = await takeTurn(chat.visitor, { message: 'Steer my zeppelin', conversationId });
  const { rounds } = await readTrace(admin, turn);
  expect(rounds[0]?.catalogue).toMatchObject({ named: ['zeppelins'], totals: { named: 1 } });
  expect(rounds[0]?.catalogue.leftOut).not.toContain('zeppelins');
  expect(await whySkill(admin, turn, 'zeppelins')).toEqual({
    outcome: 'not-chosen',
    rule: 'named-with-message',
    rank: 1,
  });
});

test.each([
  ['not-granted', 'skill-not-granted'],
  ['switched-off', 'off'],
  ['team-1', 'excluded'],
  ['invented', 'no-such-skill'],
])('for %s, which was not visible, it names the rule', async (name, rule) => {
  const admin = await start(says('Hello.'));
  const turn = await takeTurn(chat.visitor, { message: 'Hi' });
  expect(await whySkill(admin, turn, name)).toEqual({ outcome: 'not-visible', rule });
});

test('a skill that its user has disabled, or that is visible since, is shown as such', async () => {
  const admin = await start(says('Hello.'));
  const turn = await takeTurn(chat.visitor, {
    message: 'Hi',
    app: 'small',
    skillsOff: ['zeppelins'],
  });
  expect(await whySkill(admin, turn, 'zeppelins')).toEqual({
    outcome: 'not-visible',
    rule: 'off-in-conversation',
  });
  expect((await readTrace(admin, turn)).skillsOff).toEqual(['zeppelins']);
  expect(await whySkill(admin, turn, 'team-3')).toMatchObject({ rule: 'not-in-app' });
  const json = { id: 'small', name: 'small', skills: ['*'] };
  await admin('/api/admin/apps/small', { method: 'PUT', json });
  expect(await whySkill(admin, turn, 'team-3')).toEqual({
    outcome: 'not-visible',
    rule: 'visible-now',
  });
});

test('if all names are listed, it shows which lost their description', async () => {
  const admin = await start(says('Hello.'));
  const turn = await takeTurn(chat.visitor, { message: 'Hi', app: 'whole' });
  const { catalogue } = (await readTrace(admin, turn)).rounds[0] ?? {};
  expect(catalogue?.mode).toBe('names');
  const [first = ''] = catalogue?.offered ?? [];
  expect(catalogue?.shortened).toContain(first);
  expect(await whySkill(admin, turn, first)).toMatchObject({ outcome: 'shortened', rank: 1 });
});

test("if skills are searched, it shows the model's queries and results", async () => {
  const admin = await start(
    calls(['search_skills', { query: 'zeppelin' }]),
    calls(['search_skills', { query: 'invoices', limit: 2 }]),
    says('Done.'),
  );
  const turn = await takeTurn(chat.visitor, { message: 'Fly', app: 'search' });
  expect(await whySkill(admin, turn, 'zeppelins')).toEqual({
    outcome: 'not-chosen',
    rule: 'found-by-search',
    rank: 1,
    searches: [
      { query: 'zeppelin', found: 1, rank: 1 },
      { query: 'invoices', found: 2 },
    ],
  });
  expect(await whySkill(admin, turn, 'meeting-notes')).toMatchObject({
    outcome: 'left-out',
    rule: 'search-only',
    searches: [{ query: 'zeppelin', found: 1 }, { found: 2 }],
  });
});

test('without a catalogue it says so', async () => {
  const admin = await start(says('Hello.'));
  const turn = await takeTurn(chat.visitor, { message: 'Hi', app: 'without' });
  expect(await whySkill(admin, turn, 'zeppelins')).toEqual({
    outcome: 'left-out',
    rule: 'catalogue-off',
  });
});

test('an active skill shows how it was activated, also earlier', async () => {
  const admin = await start(activate('ZEPPELINS'), says('Done.'), says('Again.'));
  const turn = await takeTurn(chat.visitor, { message: 'Fly', app: 'small' });
  expect(await whySkill(admin, turn, 'zeppelins')).toEqual({ outcome: 'activated', via: 'model' });
  const { conversationId } = turn;
  const next = await takeTurn(chat.visitor, { message: 'On', app: 'small', conversationId });
  expect(await whySkill(admin, next, 'zeppelins')).toEqual({
    outcome: 'activated',
    rule: 'already-active',
  });
  const picked = { message: 'Sort', app: 'small', conversationId, skills: ['meeting-notes'] };
  expect(await whySkill(admin, await takeTurn(chat.visitor, picked), 'meeting-notes')).toEqual({
    outcome: 'activated',
    via: 'slash',
  });
});

test('a requested and denied skill shows the rule', async () => {
  const admin = await start(
    activate('zeppelins'),
    activate('meeting-notes'),
    activate('not-granted'),
    says('Done.'),
  );
  const turn = await takeTurn(chat.visitor, { message: 'Fly', app: 'one' });
  expect(await whySkill(admin, turn, 'meeting-notes')).toEqual({
    outcome: 'refused',
    rule: 'too-many-active-skills',
  });
  expect(await whySkill(admin, turn, 'not-granted')).toEqual({
    outcome: 'refused',
    rule: 'skill-not-granted',
  });
});

test('it shows the routing request, its choice, and what exceeded the budget', async () => {
  const choice = { selected_skill_names: ['zeppelins', 'meeting-notes'], reasoning: 'Both.' };
  await chat.start(({ system }) =>
    says(system.startsWith('You choose') ? JSON.stringify(choice) : 'Done.'),
  );
  const admin = await signInAdmin(chat.server);
  const turn = await takeTurn(chat.visitor, { message: 'Fly', app: 'one', model: 'plain' });
  expect(await whySkill(admin, turn, 'zeppelins')).toEqual({ outcome: 'activated', via: 'router' });
  expect(await whySkill(admin, turn, 'meeting-notes')).toEqual({
    outcome: 'refused',
    rule: 'no-room',
  });
  const { rounds } = await readTrace(admin, turn);
  const [put = ''] = (rounds[0]?.catalogue.offered ?? []).filter((name) => name.startsWith('team'));
  expect(await whySkill(admin, turn, put)).toMatchObject({ outcome: 'not-chosen', rule: 'router' });
});
