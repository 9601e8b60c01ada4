import { adminSkillListSchema } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;

const tagged = (name: string, tags: string, more = '') => ({
  [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: It.\ntags: ${tags}\n${more}---\nDo it.\n`,
});
/** Twenty tags of one skill: together, three skills have more than the list includes. */
const rare = (from: number) =>
  `[common, Agent, ${Array.from({ length: 18 }, (_, index) => `rare-${from + index}`).join(', ')}]`;

beforeAll(async () => {
  server = await startTestServer({
    files: {
      ...tagged('first', rare(0), 'category: ops\n'),
      ...tagged('second', rare(18), 'category: ops\n'),
      ...tagged('third', rare(36), 'category: desk\nrequires_tools: [shell, browser]\n'),
      ...tagged('quoted', `'["agent", "two words"]'`),
      ...tagged('unclosed', `'["agent"'`),
      ...tagged('blanks', `"[red green]"`),
    },
  });
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

const list = (query = '') => parseAnswer(adminSkillListSchema, admin(`/api/admin/skills${query}`));
const facets = (query: string) =>
  parseAnswer(adminSkillsApi.facets.response, admin(`/api/admin/skill-facets?${query}`));

test('the list includes the 50 most frequent tags and their counts', async () => {
  const { tags, categories } = (await list()).facets;
  expect(tags).toHaveLength(50);
  expect(tags.slice(0, 4)).toEqual([
    { value: 'agent', count: 5 },
    { value: 'common', count: 3 },
    { value: 'green', count: 1 },
    { value: 'rare-0', count: 1 },
  ]);
  expect(categories).toEqual([
    { value: 'ops', count: 2 },
    { value: 'desk', count: 1 },
  ]);
});

test('other tags are found by substring, case-insensitively, page by page', async () => {
  expect(await facets('field=tag&query=ARE-53')).toEqual({
    items: [{ value: 'rare-53', count: 1 }],
    total: 1,
  });
  expect(await facets('field=tag&query=Agent')).toMatchObject({ total: 1 });
  expect(await facets('field=tag&query=rare&limit=20&cursor=40')).toMatchObject({
    total: 54,
    items: { length: 14 },
  });
  expect(await facets('field=category')).toMatchObject({ total: 2 });
});

test.each([
  ['quoted', ['agent', 'two-words']],
  ['unclosed', ['agent']],
  ['blanks', ['red', 'green']],
])('tags written as a list in a string are parsed as that list: %s', async (name, tags) => {
  expect((await list(`?query=${name}`)).items).toMatchObject([{ name, tags }]);
});

test('skills are found by a tag from such a string', async () => {
  const { items } = await list('?tag=agent');
  expect(items.map(({ name }) => name)).toEqual(['first', 'quoted', 'second', 'third', 'unclosed']);
});

test('skills are found by the tools they require', async () => {
  const tools = ['browser', 'shell'].map((value) => ({ value, count: 1 }));
  expect((await list()).facets.tools).toEqual(tools);
  expect(await facets('field=tool&query=HELL')).toMatchObject({ items: [{ value: 'shell' }] });
  expect((await list('?tool=shell')).items).toMatchObject([
    { name: 'third', requiresTools: ['shell', 'browser'] },
  ]);
  expect((await list('?query=browser')).items).toMatchObject([{ name: 'third' }]);
});
