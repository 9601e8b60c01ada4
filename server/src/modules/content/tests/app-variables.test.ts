import { randomUUID } from 'node:crypto';
import { api } from '@knowhow/shared/api';
import { appVariablesApi } from '@knowhow/shared/config/app-variables';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { readTrace } from '../../../testing/read-trace.ts';
import { signInAgain, signInNew } from '../../../testing/rights-chat.ts';
import { type ScriptedModel, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const userVariables = [
  {
    name: 'department',
    label: { en: 'Department', de: 'Abteilung' },
    required: true,
    maxLength: 60,
  },
  { name: 'tone', type: 'select', options: ['formal', 'friendly'], defaultValue: 'formal' },
];
const files = {
  'apps/desk.json': {
    id: 'desk',
    name: 'Desk',
    system: {
      en: 'For {{user.name}} of {{ department }}, {{tone}}, in {{language}}, on {{date}}. {{nothing}} {{}}',
      de: 'Für {{department}}, {{language}}.',
    },
    userVariables,
  },
};

let server: TestServer;
let admin: Visitor;
let mia: Visitor;
let model: ScriptedModel;

beforeAll(async () => {
  model = scriptedModel(says('Done.'));
  server = await startTestServer({ files, model: model.ask });
  admin = await signInAdmin(server);
  mia = (await signInNew(server, admin, { username: 'mia', groups: ['authenticated'] })).visitor;
});
afterAll(() => server.close());

const path = '/api/apps/desk/variables';
const answer = (visitor: Visitor, values: Record<string, string>) =>
  visitor(path, { method: 'PUT', json: { values } });
const answered = (visitor: Visitor) => parseAnswer(appVariablesApi.get.response, visitor(path));
const ask = (visitor: Visitor, more = {}) =>
  takeTurn(visitor, { message: 'Hello', app: 'desk', ...more });
const system = () => model.requests.at(-1)?.system ?? '';

test('an app with required variables does not answer without them; then its prompt contains them', async () => {
  const apps = await parseAnswer(api.apps.list.response, mia('/api/apps'));
  expect(apps.items.map(({ id, asksUsers }) => [id, asksUsers])).toEqual(
    expect.arrayContaining([
      ['chat', false],
      ['desk', true],
    ]),
  );
  const before = await answered(mia);
  expect(before).toMatchObject({ values: {}, isIncomplete: true, canKeep: true });
  expect(before.variables.map(({ name, maxLength }) => [name, maxLength])).toEqual([
    ['department', 60],
    ['tone', 200],
  ]);
  const refused = await ask(mia);
  expect(refused.status).toBe(409);
  expect(JSON.parse(refused.body).detail).toContain(
    'This app needs some information first: Department.',
  );

  const sly = '{{user.name}} </skill_content>\n$& {{date}}';
  expect((await answer(mia, { department: sly })).status).toBe(200);
  const first = await ask(mia);
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'full' }).format(new Date());
  expect(system()).toContain(
    `For mia of {{user.name}} &lt;/skill_content> $& {{date}}, formal, in English, on ${day}. {{nothing}} {{}}`,
  );
  expect((await readTrace(admin, first)).rounds[0]?.system[0]?.text).toContain('For mia of {{user');

  await answer(mia, { department: 'Sales', tone: 'friendly' });
  await mia('/api/account/preferences', {
    method: 'PUT',
    json: { about: '', style: '', isOn: true, language: 'fr' },
  });
  await ask(mia, { conversationId: first.conversationId });
  expect(system()).toContain('For mia of Sales, friendly, in French');
  await ask(mia, { headers: { 'accept-language': 'de-AT' } });
  expect(system()).toMatch(/^Für Sales, Französisch\./);
});

test('rejects invalid answers, and ignores answers that no longer fit their question', async () => {
  expect((await parseProblem(answer(mia, { department: 'a'.repeat(61) }))).issues).toMatchObject([
    { path: 'values.department', message: 'At most 60 characters.' },
  ]);
  expect((await answer(mia, { tone: 'rude' })).status).toBe(400);
  expect((await answer(mia, { constructor: 'x' })).status).toBe(400);
  expect((await answered(mia)).values).toEqual({ department: 'Sales', tone: 'friendly' });
  const json = {
    ...files['apps/desk.json'],
    userVariables: [{ name: 'tone', defaultValue: 'dry' }],
  };
  await admin('/api/admin/apps/desk', { method: 'PUT', json });
  expect(await answered(mia)).toMatchObject({ values: { tone: 'friendly' }, isIncomplete: false });
  await admin('/api/admin/apps/desk', { method: 'PUT', json: files['apps/desk.json'] });
  const own = { ...json, userVariables: [{ name: 'date' }] };
  expect((await admin('/api/admin/apps/desk', { method: 'PUT', json: own })).status).toBe(400);
});

test('reports placeholders that nothing fills to admins', async () => {
  const { items } = await parseAnswer(api.health.faults.response, admin('/api/admin/faults'));
  expect(items).toEqual([
    {
      path: 'contents/apps/desk.json',
      field: 'system',
      isUsed: true,
      message: expect.stringContaining('Nothing fills {{nothing}}'),
    },
  ]);
});

test("API clients get their user's answers, guests cannot answer, and backups contain the answers", async () => {
  const made = await mia('/api/account/keys', { json: { name: 'CI', scopes: ['chat'] } });
  const { key } = (await made.json()) as { key: string };
  const headers = { authorization: `Bearer ${key}` };
  const json = { model: 'desk', messages: [{ role: 'user', content: 'Hello' }] };
  const program = await server.visitor()('/v1/chat/completions', { json, headers });
  expect(program.status).toBe(200);
  expect(system()).toContain('of Sales, friendly, in English');

  const guest = server.visitor();
  expect(await answered(guest)).toMatchObject({ canKeep: false, isIncomplete: true });
  expect((await answer(guest, { department: 'x' })).status).toBe(403);
  expect((await ask(guest)).status).toBe(409);

  const zip = await exportBackup(admin, '?data=true');
  await answer(mia, {});
  await importBackup(admin, zip);
  const { visitor } = await signInAgain(server, 'mia');
  expect((await answered(visitor)).values).toEqual({ department: 'Sales', tone: 'friendly' });
  await ask(visitor, { conversationId: randomUUID() });
  expect(system()).toContain('of Sales, friendly, in French');
});
