import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memorySource } from '../../../testing/memory-source.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const skill = (name: string, description: string, body?: string) => ({
  [name]: { 'SKILL.md': skillFile(name, description, body) },
});
const source = memorySource({
  ...Object.assign(
    {},
    ...Array.from({ length: 520 }, (_, at) => skill(`item-${at}`, 'One of many.')),
  ),
  ...skill('tables', 'Of wood.'),
  ...skill('tables-of-data', 'Of data.'),
  ...skill(
    'extraction',
    'Gets tables out of a PDF file: each table as CSV, with a table of contents.',
  ),
  ...skill(
    'mention',
    'Has nothing to do with it. Does not make tables.',
    'Other things. '.repeat(200),
  ),
  ...skill(
    'zz-deep',
    'Says little.\nmetadata:\n  description.de: Legt Spesenbelege ab.',
    'Recalibrates the flux capacitors.',
  ),
});

const model = scriptedModel(
  calls(['activate_skill', { skill_name: 'data-tables' }]),
  says('Done.'),
);
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ skillSources: [source], model: model.ask });
  await waitFor(async () => (await palette('capacitor')).length > 0);
});
afterAll(() => server.close());

async function palette(query: string): Promise<string[]> {
  const answer = await server.visitor()(`/api/skills?query=${encodeURIComponent(query)}`);
  return skillsApi.list.response.parse(await answer.json()).items.map(({ name }) => name);
}

async function admin(query: string): Promise<string[]> {
  const visitor = await signInAdmin(server);
  const answer = await visitor(`/api/admin/skills?${query}`);
  return adminSkillsApi.list.response.parse(await answer.json()).items.map(({ name }) => name);
}

test('above 500 skills the palette lists names first, then the best full-text matches', async () => {
  expect(await palette('tables')).toEqual(['tables', 'tables-of-data', 'extraction', 'mention']);
  expect(await palette('tab')).toEqual(expect.arrayContaining(['tables', 'extraction']));
  expect((await palette('tab')).slice(0, 2)).toEqual(['tables', 'tables-of-data']);
  expect(await palette('flux capacitor')).toEqual(['zz-deep']);
  expect(await palette('Spesenbeleg')).toEqual(['zz-deep']);
});

test('above 500 skills an administrator gets the best match first, unless they choose another order', async () => {
  expect(await admin('query=tables')).toEqual([
    'tables',
    'tables-of-data',
    'extraction',
    'mention',
  ]);
  expect(await admin('query=tables&sort=name')).toEqual([
    'extraction',
    'mention',
    'tables',
    'tables-of-data',
  ]);
  expect(await admin('query=flux+capacitors')).toEqual(['zz-deep']);
});

test('a model that gets a name wrong among many is offered similar ones', async () => {
  await takeTurn(server.visitor(), { message: 'Hi' });
  const answer = model.requests[1]?.messages.at(-1)?.content;
  expect(answer).toContain(
    'Skill "data-tables" is not available. Some of the 527 available skills:',
  );
  expect(answer).toContain('tables-of-data');
  expect(answer).not.toContain('item-');
});
