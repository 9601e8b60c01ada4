import { join } from 'node:path';
import { analyticsApi } from '@knowhow/shared/config/analytics';
import { beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { readReport, useIn } from '../../../testing/read-report.ts';
import { rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { modelWith, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { startOf, type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';
import type { Files } from '../../../testing/write-files.ts';

const chat = scriptedChat({
  ...rightsFiles,
  'apps/search.json': {
    id: 'search',
    name: 'Search',
    system: 'You are helpful.',
    skills: ['*'],
    skillSettings: { discoveryMode: 'search', maxActiveSkills: 1 },
  },
  ...modelWith({ prices: { input: 1, output: 2, currency: 'EUR' } }),
  'skills/hidden/SKILL.md': skillFile('hidden', 'Is hidden.'),
});
let admin: Visitor;
let ann: SignedIn;
let ben: SignedIn;

async function start(script: Step[], files: Files = {}): Promise<void> {
  await chat.start(script, files);
  admin = await signInAdmin(chat.server);
  ann = await signInNew(chat.server, admin, { username: 'ann', groups: ['staff'] });
  ben = await signInNew(chat.server, admin, { username: 'ben', groups: ['interns'] });
}

const think = (visitor: Visitor, turn: TakenTurn, value: 'up' | 'down') =>
  visitor(`/api/messages/${startOf(turn).messageId}/feedback`, {
    method: 'PUT',
    json: { value, reason: 'Secret reason.' },
  });
const activate = (name: string): Step => calls(['activate_skill', { skill_name: name }]);
const today = () => new Date().toISOString().slice(0, 10);

async function factRows(): Promise<string> {
  await readReport(admin);
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  const rows = [
    await database.selectFrom('turn_facts').selectAll().execute(),
    await database.selectFrom('skill_facts').selectAll().execute(),
  ];
  await database.destroy();
  return JSON.stringify(rows);
}

test('conversations in apps without skills do not count in the share with a skill', async () => {
  await start([says('One.'), says('Two.'), says('Three.')], {
    'apps/bare.json': { id: 'bare', name: 'Bare', system: 'Be brief.', skills: [] },
  });
  await takeTurn(ann.visitor, { message: 'A', skills: ['meeting-notes'] });
  await takeTurn(ann.visitor, { message: 'B' });
  await takeTurn(ann.visitor, { message: 'C', app: 'bare' });
  expect((await readReport(admin)).totals).toMatchObject({
    ...{ conversations: 3, conversationsOffered: 2, conversationsWithSkill: 1 },
  });
});

describe('two users with different permissions', () => {
  beforeEach(async () => {
    await start([activate('meeting-notes'), says('Fine.'), activate('meeting-notes'), says('No.')]);
  });

  test('are counted by skill, app, group, model and week', async () => {
    const first = await takeTurn(ann.visitor, { message: 'A' });
    const second = await takeTurn(ben.visitor, { message: 'B' });
    const { conversationId } = first;
    await takeTurn(ann.visitor, { message: 'C', conversationId, skills: ['release-notes'] });
    await think(ann.visitor, first, 'up');
    await think(ben.visitor, second, 'down');
    const report = await readReport(admin);
    const both = { conversations: 2, conversationsWithSkill: 1, answers: 3, answersWithSkill: 2 };
    const staff = { conversations: 1, conversationsWithSkill: 1, answers: 2, answersWithSkill: 2 };
    const activations = { model: 1, slash: 1, api: 0, app: 0, router: 0 };
    expect(report.totals).toMatchObject({ ...both, activations, refused: 1, limited: 0 });
    expect(report.apps).toMatchObject([{ id: 'chat', ...both }]);
    expect(report.models).toMatchObject([{ id: 'scripted', ...both }]);
    expect(report.weeks).toMatchObject([both]);
    expect(new Date(report.weeks[0]?.week ?? '').getUTCDay()).toBe(1);
    expect(report.groups).toMatchObject([
      { id: 'staff', ...staff },
      { id: 'interns', conversations: 1, conversationsWithSkill: 0, answers: 1 },
    ]);
    expect(useIn(report, 'meeting-notes')).toMatchObject({
      ...{ exists: true, conversations: 1, answers: 2, refused: 1 },
      activations: { model: 1, slash: 0 },
      thumbs: { up: 1, down: 0 },
    });
    expect(useIn(report, 'release-notes')).toMatchObject({
      ...{ conversations: 1, answers: 1, activations: { slash: 1 }, thumbs: { up: 0, down: 0 } },
    });
    expect(report.thumbs).toEqual({
      withSkill: { up: 1, down: 0 },
      withoutSkill: { up: 0, down: 1 },
    });
    expect(report.neverUsed).toEqual({ names: ['hidden'], total: 1 });
    expect(report).toMatchObject({ days: 400, to: today(), since: expect.any(String) });
  });

  test('come with the reasons for ratings, and nothing else of a conversation', async () => {
    const first = await takeTurn(ann.visitor, { message: 'A question' });
    const second = await takeTurn(ben.visitor, { message: 'B question' });
    await think(ann.visitor, first, 'up');
    await think(ben.visitor, second, 'down');
    const reasons = (query = '') =>
      parseAnswer(analyticsApi.reasons.response, admin(`/api/admin/analytics/reasons${query}`));
    const { items, total } = await reasons();
    expect(total).toBe(2);
    expect(items).toMatchObject([
      { value: 'down', reason: 'Secret reason.', app: 'chat', skills: [] },
      { value: 'up', reason: 'Secret reason.', app: 'chat', skills: ['meeting-notes'] },
    ]);
    expect(JSON.stringify(items)).not.toMatch(/question|ann|ben/);
    expect(await reasons('?group=staff')).toMatchObject({ total: 1, items: [{ value: 'up' }] });
    expect(await reasons('?app=none')).toEqual({ items: [], total: 0 });
    await ann.visitor(`/api/messages/${startOf(first).messageId}/feedback`, {
      method: 'PUT',
      json: { value: 'up' },
    });
    expect(await reasons()).toMatchObject({ total: 1, items: [{ value: 'down' }] });
  });

  test('can be filtered, and skills they did not use are named', async () => {
    await takeTurn(ann.visitor, { message: 'A' });
    await takeTurn(ben.visitor, { message: 'B' });
    const interns = await readReport(admin, '?group=interns');
    expect(interns.totals).toMatchObject({ conversations: 1, conversationsWithSkill: 0 });
    expect(interns.skills).toMatchObject([{ name: 'meeting-notes', answers: 0, refused: 1 }]);
    expect(interns.neverUsed).toEqual({ names: ['release-notes'], total: 1 });
    const staff = await readReport(admin, '?group=staff&app=chat&model=scripted');
    expect(staff.totals).toMatchObject({ conversations: 1, conversationsWithSkill: 1, refused: 0 });
    for (const query of ['?app=none', '?group=none', '?model=none', '?to=2020-01-01']) {
      const none = await readReport(admin, query);
      expect(none.totals, query).toMatchObject({ conversations: 0, answers: 0, inputTokens: 0 });
      expect([...none.weeks, ...none.skills, ...none.groups], query).toEqual([]);
    }
    expect((await readReport(admin, '?app=none')).neverUsed.total).toBe(0);
  });

  test('have no access to analytics, nor do guests', async () => {
    for (const path of ['skills', 'skills.csv']) {
      expect((await ann.visitor(`/api/admin/analytics/${path}`)).status).toBe(403);
      expect((await chat.server.visitor()(`/api/admin/analytics/${path}`)).status).toBe(401);
    }
  });
});

test('tokens and cost are those of the answers in which a skill was active', async () => {
  await start([says('Fine.')]);
  const first = await takeTurn(ann.visitor, { message: 'A', skills: ['meeting-notes'] });
  await takeTurn(ann.visitor, { message: 'B', conversationId: first.conversationId });
  await takeTurn(ann.visitor, { message: 'C' });
  const report = await readReport(admin);
  expect(report.totals).toMatchObject({ inputTokens: 30, outputTokens: 15, cachedTokens: 0 });
  const cost = (amount: number) => [{ currency: 'EUR', amount: expect.closeTo(amount / 1e6, 9) }];
  expect(report.totals.costs).toEqual(cost(60));
  const use = useIn(report, 'meeting-notes');
  expect(use).toMatchObject({ answers: 2, inputTokens: 20, outputTokens: 10, costs: cost(40) });
  expect(use?.instructionTokens).toBeGreaterThan(5);
});

test('counts a skill beyond the maximum, a search without result, and an ended skill', async () => {
  await start([
    activate('meeting-notes'),
    activate('release-notes'),
    calls(['search_skills', { query: 'xylophone' }], ['search_skills', { query: 'notes' }]),
    says('Fine.'),
  ]);
  const { conversationId } = await takeTurn(ann.visitor, { message: 'A', app: 'search' });
  const path = `/api/conversations/${conversationId}/skills/meeting-notes`;
  expect((await ann.visitor(path, { method: 'DELETE' })).status).toBe(204);
  const report = await readReport(admin);
  expect(report.totals).toMatchObject({ answers: 1, limited: 1, searched: 1, foundNothing: 1 });
  expect(useIn(report, 'release-notes')).toMatchObject({ answers: 0, limited: 1 });
  expect(useIn(report, 'meeting-notes')).toMatchObject({ answers: 1, ended: { user: 1 } });
});

test('counts a denial for a skill that a router names and no user may see', async () => {
  const choice = { selected_skill_names: ['hidden'], reasoning: 'It fits.' };
  await start([says(JSON.stringify(choice)), says('Fine.')], {
    'apps/chat.json': {
      ...{ id: 'chat', name: 'Chat', skills: ['meeting-notes'] },
      skillSettings: { router: 'always' },
    },
  });
  await takeTurn(ann.visitor, { message: 'A' });
  const report = await readReport(admin);
  expect(useIn(report, 'hidden')).toMatchObject({ answers: 0, refused: 1 });
  expect(report.totals).toMatchObject({ inputTokens: 20 });
});

test('figures contain no texts or users, and survive deleted conversations and users', async () => {
  await start([activate('Secret plans of Ann'), says('Secret answer.')]);
  const turn = await takeTurn(ann.visitor, {
    message: 'Secret question',
    skills: ['meeting-notes'],
  });
  await think(ann.visitor, turn, 'down');
  const rows = await factRows();
  expect(rows).toContain('meeting-notes');
  for (const secret of [/secret/i, ann.id, 'ann', startOf(turn).userMessageId]) {
    expect(rows).not.toMatch(secret);
  }
  await ann.visitor(`/api/conversations/${turn.conversationId}`, { method: 'DELETE' });
  await admin(`/api/admin/users/${ann.id}?conversations=delete`, { method: 'DELETE' });
  const report = await readReport(admin);
  expect(report.totals).toMatchObject({ conversations: 1, refused: 1 });
  // Ann's rating was personal data.
  expect(report.thumbs.withSkill).toEqual({ up: 0, down: 0 });
});

test('figures survive a restart, and are kept for the configured time', async () => {
  await start([says('Fine.')]);
  await takeTurn(ann.visitor, { message: 'A' });
  await chat.server.close();
  const { folder } = chat.server;
  const database = await openTestDatabase(join(folder, 'data'));
  const [known] = await database.selectFrom('turn_facts').selectAll().execute();
  const before = new Date(Date.now() - 20 * 24 * 60 * 60 * 1000).toISOString();
  const old = Array.from({ length: 450 }, (_, at) => ({ message_id: `old-${at}`, at: before }));
  const rows = old.map((row) => ({ ...known, ...row }) as NonNullable<typeof known>);
  await database.insertInto('turn_facts').values(rows).execute();
  const fact = {
    skill: 'meeting-notes',
    event: 'active' as const,
    detail: '',
    times: 1,
    tokens: 0,
  };
  await database
    .insertInto('skill_facts')
    .values({ message_id: 'old-1', ...fact })
    .execute();
  await database.destroy();

  const answersFor = async (days: number) => {
    const files = { 'config/platform.json': { analytics: { days } } };
    chat.server = await startTestServer({ folder, files });
    admin = await signInAdmin(chat.server);
    return async () => (await readReport(admin)).totals.answers;
  };
  expect(await (await answersFor(30))()).toBe(451);
  expect(useIn(await readReport(admin), 'meeting-notes')).toMatchObject({ answers: 1 });
  await chat.server.close();
  await expect.poll(await answersFor(10)).toBe(1);
  expect((await readReport(admin)).skills).toEqual([]);
  await chat.server.close();
  await expect.poll(await answersFor(0)).toBe(0);
  await takeTurn(chat.server.visitor(), { message: 'A' });
  expect(await readReport(admin)).toMatchObject({ days: 0, totals: { answers: 0 } });
});

test('the CSV contains everything, and no spreadsheet formulas (CSV injection)', async () => {
  await start([activate('meeting-notes'), says('Fine.')]);
  await takeTurn(ann.visitor, { message: 'A' });
  await readReport(admin);
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  const dangerous = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'a,"b"\nc'];
  for (const [at, skill] of dangerous.entries()) {
    const known = { event: 'active' as const, detail: `${at}`, times: 1, tokens: 0 };
    const { message_id } = await database
      .selectFrom('turn_facts')
      .select('message_id')
      .executeTakeFirstOrThrow();
    await database
      .insertInto('skill_facts')
      .values({ message_id, skill, ...known })
      .execute();
  }
  await database.destroy();
  const answer = await admin('/api/admin/analytics/skills.csv?app=chat');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename=knowhow-skills-[\d-]+\.csv$/,
  );
  const text = await answer.text();
  const lines = text.split('\r\n');
  const columns = lines[0]?.split(',') ?? [];
  expect(columns.slice(0, 3)).toEqual(['kind', 'name', 'conversations']);
  const lineOf = (start: string) => lines.find((line) => line.startsWith(start))?.split(',') ?? [];
  const cellOf = (line: string, column: string) => lineOf(line)[columns.indexOf(column)];
  expect(cellOf('skill,meeting-notes', 'activated_by_model')).toBe('1');
  expect(cellOf('all,', 'answers')).toBe('1');
  expect(cellOf('app,chat', 'input_tokens')).toBe('10');
  expect(lineOf('skill never used,release-notes')).toHaveLength(columns.length);
  for (const name of ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=1", '"a,""b""\nc"']) {
    expect(text).toContain(`\r\nskill,${name},`);
  }
});

test.each([
  ['from=9999999', 'from'],
  ['from=2026-13-01', 'from'],
  ['to=2026-02-30', 'to'],
  ['from=1999-12-31', 'from'],
  ['to=-000001-01-01', 'to'],
  ["from=2026-01-01'--", 'from'],
  ['from=2026-05-02&to=2026-05-01', 'from'],
  ['from=2026-05-01&from=2026-05-02', 'from'],
  ['app=', 'app'],
  [`group=${'x'.repeat(201)}`, 'group'],
  ['days=3', 'days'],
])('rejects %s', async (query, path) => {
  await start([says('Fine.')]);
  for (const format of ['skills', 'skills.csv']) {
    const answer = await admin(`/api/admin/analytics/${format}?${query}`);
    expect(answer.status).toBe(400);
    expect((await parseProblem(answer)).issues?.[0]?.path).toBe(path);
  }
});

test('a long range is clamped, and ends today', async () => {
  await start([says('Fine.')]);
  await takeTurn(ann.visitor, { message: 'A' });
  const all = await readReport(admin, '?from=2000-01-01&to=9999-12-31');
  expect(all).toMatchObject({ from: '2000-01-01', to: today(), totals: { answers: 1 } });
  expect(all.weeks).toHaveLength(1);
  const names = '?app=%25&group=%22%5D%27%20or%201=1--&model=*';
  expect((await readReport(admin, names)).totals.answers).toBe(0);
  const later = await readReport(admin, '?from=9998-01-01');
  expect(later).toMatchObject({ from: today(), to: today(), totals: { answers: 1 } });
});

test('tokens of a title count with the first answer', async () => {
  const platform = { titles: { byModel: true } };
  await start([says('It flies south.'), says('Herons')], { 'config/platform.json': platform });
  const { conversationId } = await takeTurn(ann.visitor, { message: 'What do herons do?' });
  expect(await (await ann.visitor(`/api/conversations/${conversationId}/title`)).json()).toEqual({
    title: 'Herons',
  });
  const { totals } = await readReport(admin);
  expect(totals).toMatchObject({ answers: 1, inputTokens: 20, outputTokens: 10 });
  expect(totals.costs).toEqual([{ currency: 'EUR', amount: expect.closeTo(40e-6, 9) }]);
});
