import { join } from 'node:path';
import { libraryApi } from '@knowhow/shared/skills/library';
import { skillAttentionApi } from '@knowhow/shared/skills/skill-attention';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { rightsFiles, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { startOf, takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat({
  ...rightsFiles,
  'skills/minutes/SKILL.md': skillFile('minutes', 'Writes minutes.', 'Be brief.'),
});
const dayMs = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const dayIn = (days: number) => daysAgo(-days).slice(0, 10);

async function start() {
  await chat.start(() => says('Done.'));
  const admin = await signInAdmin(chat.server);
  const signIn = (username: string, groups: string[]) =>
    signInNew(chat.server, admin, { username, groups });
  return { admin, ann: await signIn('ann', ['staff']), ben: await signIn('ben', ['interns']) };
}

const list = (visitor: Visitor, query = '') =>
  parseAnswer(skillAttentionApi.list.response, visitor(`/api/skill-attention${query}`));
const findingsOf = async (visitor: Visitor, query = '') =>
  (await list(visitor, query)).items.map(({ name, findings }) => [
    name,
    ...findings.map(({ reason }) => reason).filter((reason) => reason !== 'no-owner'),
  ]);
const change = (admin: Visitor, name: string, json: object) =>
  admin(`/api/admin/skills/${name}`, { method: 'PUT', json });
const review = (visitor: Visitor, name: string, reviewBy: unknown) =>
  visitor(`/api/skill-attention/${name}/review-date`, { method: 'PUT', json: { reviewBy } });
const own = (admin: Visitor, name: string, kind: 'user' | 'group', id: string) =>
  admin(`/api/admin/skills/${name}/owner`, { method: 'PUT', json: { owner: { kind, id } } });

/** Answers with a skill and thumbs, some days ago. */
async function addAnswers(
  { admin, ann }: Awaited<ReturnType<typeof start>>,
  skill: string,
  answers: { days: number; up: number; down: number }[],
): Promise<void> {
  const turn = await takeTurn(ann.visitor, { message: 'Hello' });
  const { messageId } = startOf(turn);
  // Stores the metrics of the answer.
  await admin('/api/admin/analytics/skills');
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  const message = await database
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow();
  const facts = await database
    .selectFrom('turn_facts')
    .selectAll()
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow();
  const { conversation_id } = message;
  let position = 1000;
  for (const { days, up, down } of answers) {
    for (let count = 0; count < Math.max(1, up + down); count += 1) {
      position += 1;
      const id = `${skill}-${position}`;
      const at = daysAgo(days);
      await database
        .insertInto('messages')
        .values({ ...message, id, position })
        .execute();
      await database
        .insertInto('turn_facts')
        .values({ ...facts, message_id: id, at })
        .execute();
      await database
        .insertInto('skill_facts')
        .values({ message_id: id, skill, event: 'active', detail: '', times: 1, tokens: 0 })
        .execute();
      if (up + down > 0) {
        const value = count < up ? ('up' as const) : ('down' as const);
        await database
          .insertInto('feedback')
          .values({ message_id: id, conversation_id, value, reason: null, updated_at: at })
          .execute();
      }
    }
  }
  await database.destroy();
}

/** Pretends that the first version of a skill is older. */
async function makeOlder(admin: Visitor, skill: string, days: number): Promise<void> {
  // The first change creates a version of what was there before.
  const path = `/api/admin/skills/${skill}/files/notes.md`;
  expect((await admin(path, { method: 'PUT', body: 'Notes.' })).ok).toBe(true);
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  const found = await database
    .selectFrom('skills')
    .select('id')
    .where('name', '=', skill)
    .executeTakeFirstOrThrow();
  await database
    .updateTable('skill_versions')
    .set({ created_at: daysAgo(days) })
    .where('skill', '=', found.id)
    .where('number', '=', 1)
    .execute();
  await database.destroy();
}

test('reviews that are late come first, then those due in 14 days', async () => {
  const { admin } = await start();
  expect(await findingsOf(admin)).toEqual([]);
  await review(admin, 'minutes', dayIn(14));
  await review(admin, 'meeting-notes', dayIn(-1));
  await review(admin, 'release-notes', dayIn(15));
  expect(await findingsOf(admin)).toEqual([
    ['meeting-notes', 'review'],
    ['minutes', 'review'],
  ]);
  await review(admin, 'release-notes', dayIn(-30));
  const { items, counts, total } = await list(admin, '?reason=review&limit=1');
  expect(items).toMatchObject([
    { name: 'release-notes', reviewBy: dayIn(-30), findings: [{ reviewBy: dayIn(-30) }, {}] },
  ]);
  expect(total).toBe(3);
  expect(counts).toMatchObject({ review: 3, 'no-owner': 3, unused: 0 });
});

test('owners have their skills in the list and move the date, others do neither', async () => {
  const { admin, ann, ben } = await start();
  for (const name of ['minutes', 'meeting-notes', 'release-notes']) {
    await review(admin, name, dayIn(-1));
  }
  await own(admin, 'minutes', 'user', ann.id);
  await own(admin, 'meeting-notes', 'group', 'staff');
  const { items, counts } = await list(ann.visitor);
  expect(items.map(({ name, owner, isInLibrary }) => [name, owner, isInLibrary])).toEqual([
    ['meeting-notes', 'Staff', true],
    ['minutes', 'ann', false],
  ]);
  expect(counts['no-owner']).toBe(0);
  expect(await findingsOf(ben.visitor)).toEqual([]);

  const refusals = [
    await review(ben.visitor, 'minutes', null),
    await review(ben.visitor, 'x', null),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([404, 404]);
  expect((await review(ann.visitor, 'release-notes', null)).status).toBe(404);
  expect(await (await review(ann.visitor, 'minutes', dayIn(180))).json()).toEqual({
    reviewBy: dayIn(180),
  });
  expect(await (await review(admin, 'meeting-notes', null)).json()).toEqual({});
  expect(await findingsOf(ann.visitor)).toEqual([]);
  const audit = await admin('/api/admin/audit?kind=skill&target=minutes');
  expect(await audit.json()).toMatchObject({
    items: [
      { action: 'review-date-changed', userName: 'ann', after: { reviewBy: dayIn(180) } },
      { action: 'owner-changed' },
      { action: 'review-date-changed', userName: 'Admin', after: { reviewBy: dayIn(-1) } },
    ],
  });
});

test('the page of a skill in the library has its review date for owners only', async () => {
  const { admin, ann, ben } = await start();
  const inLibrary = async ({ visitor }: { visitor: Visitor }) =>
    (await parseAnswer(libraryApi.get.response, visitor('/api/library/release-notes'))).review;
  await own(admin, 'release-notes', 'group', 'staff');
  expect(await inLibrary(ann)).toEqual({});
  await review(ann.visitor, 'release-notes', '2040-01-31');
  expect(await inLibrary(ann)).toEqual({ by: '2040-01-31' });
  expect(await inLibrary(ben)).toBeUndefined();
});

test('a skill without an owner is listed only if asked for', async () => {
  const { admin, ann } = await start();
  await own(admin, 'minutes', 'user', ann.id);
  expect((await list(admin)).items).toEqual([]);
  const { items } = await list(admin, '?reason=no-owner');
  expect(items.map(({ name }) => name)).toEqual(['meeting-notes', 'release-notes']);
});

test('a skill whose share of thumbs up falls by 20 points is listed, one that falls less is not', async () => {
  const people = await start();
  const { admin } = people;
  await addAnswers(people, 'minutes', [
    { days: 10, up: 3, down: 3 },
    { days: 60, up: 7, down: 3 },
  ]);
  await addAnswers(people, 'meeting-notes', [
    { days: 10, up: 6, down: 4 },
    { days: 60, up: 7, down: 3 },
  ]);
  // Too few to tell.
  await addAnswers(people, 'release-notes', [
    { days: 10, up: 0, down: 4 },
    { days: 60, up: 9, down: 0 },
  ]);
  expect((await list(admin, '?reason=thumbs')).items).toMatchObject([
    {
      name: 'minutes',
      findings: [
        { reason: 'thumbs', recent: { up: 3, down: 3 }, earlier: { up: 7, down: 3 } },
        { reason: 'no-owner' },
      ],
    },
  ]);
});

test('no skill counts as unused while the metrics cover less than 90 days', async () => {
  const people = await start();
  const { admin } = people;
  await makeOlder(admin, 'release-notes', 120);
  await makeOlder(admin, 'meeting-notes', 120);
  await addAnswers(people, 'meeting-notes', [{ days: 3, up: 0, down: 0 }]);
  expect(await findingsOf(admin)).toEqual([]);
});

test('unused skills are those with an old last use; new ones and used ones are not', async () => {
  const people = await start();
  const { admin } = people;
  await makeOlder(admin, 'release-notes', 120);
  await makeOlder(admin, 'meeting-notes', 120);
  await addAnswers(people, 'release-notes', [{ days: 100, up: 0, down: 0 }]);
  await addAnswers(people, 'meeting-notes', [{ days: 3, up: 0, down: 0 }]);
  expect((await list(admin)).items).toMatchObject([
    {
      name: 'release-notes',
      findings: [
        { reason: 'unused', lastUsedAt: expect.stringContaining(dayIn(-100)) },
        { reason: 'no-owner' },
      ],
    },
  ]);
});

test('a deprecated skill is listed while apps use it and there is no successor', async () => {
  const { admin } = await start();
  // No app offers it.
  await change(admin, 'minutes', { deprecated: {} });
  await change(admin, 'meeting-notes', { deprecated: {} });
  expect((await list(admin)).items).toMatchObject([
    { name: 'meeting-notes', findings: [{ reason: 'deprecated', apps: 1 }, {}] },
  ]);
  await change(admin, 'meeting-notes', { deprecated: { successor: 'minutes' } });
  expect(await findingsOf(admin)).toEqual([]);
});

test.each(['tomorrow', '2030-02-30', '', 5, '2030-01-01T00:00:00Z'])(
  'a wrong date is a clear problem: %j',
  async (reviewBy) => {
    const { admin } = await start();
    const refused = await review(admin, 'minutes', reviewBy);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ issues: [{ path: 'reviewBy' }] });
  },
);

test('an unknown reason and a wrong cursor are refused, and a guest has no list', async () => {
  const { admin } = await start();
  expect((await admin('/api/skill-attention?reason=bored')).status).toBe(400);
  expect((await admin('/api/skill-attention?cursor=x')).status).toBe(400);
  expect((await review(admin, 'none', '2030-01-01')).status).toBe(404);
  expect((await chat.server.visitor()('/api/skill-attention')).status).toBe(403);
});

test('trigger tests that got worse are listed, with the model and both results', async () => {
  let activates = true;
  await chat.start(() =>
    activates ? calls(['activate_skill', { skill_name: 'minutes' }]) : says('No skill needed.'),
  );
  const admin = await signInAdmin(chat.server);
  const run = async (more: object = {}) => {
    const prompts = ['One', 'Two', 'Three'].map((text) => ({ text, expect: true }));
    const json = { models: ['scripted'], prompts, ...more };
    const response = await admin('/api/admin/skills/minutes/trigger-tests', { json });
    expect(await response.text()).toContain('event: end');
  };
  await run();
  expect(await findingsOf(admin)).toEqual([]);
  activates = false;
  // A trial of another description says nothing about the skill.
  await run({ description: 'Writes poems.' });
  expect(await findingsOf(admin)).toEqual([]);
  await run();
  expect(await findingsOf(admin)).toEqual([['minutes', 'triggers']]);
  const { items, counts } = await list(admin, '?reason=triggers');
  expect(items[0]?.findings[0]).toMatchObject({ model: 'scripted', share: 0, before: 100 });
  expect(counts.triggers).toBe(1);
  await run();
  expect(await findingsOf(admin)).toEqual([]);
});
