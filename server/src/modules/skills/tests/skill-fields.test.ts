import { adminSkillDetailSchema, adminSkillListSchema } from '@knowhow/shared/skills/admin-skill';
import { skillFieldList } from '@knowhow/shared/skills/skill-fields';
import { skillDetailSchema, skillsApi } from '@knowhow/shared/skills/skills';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;

const skill = (name: string, fields: string) => ({
  [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: It.\n${fields}---\nDo it.\n`,
});
const many = Array.from({ length: 22 }, (_, index) => `tag-${index}`);

/** Each field of the table, in its last spelling, with its own value. */
const linesOf = (fields: typeof skillFieldList, indent = '') =>
  fields.map(({ key, names }) => `${indent}${names.at(-1)}: ${key.toLowerCase()}\n`).join('');
const ofMetadata = skillFieldList.filter(({ isSpecified }) => !isSpecified);

beforeAll(async () => {
  server = await startTestServer({
    files: {
      ...skill(
        'above',
        'category: ops\ntags: [jira]\nversion: 1.10\nrequires-tools: [shell, activate_skill]\n',
      ),
      ...skill(
        'below',
        'metadata:\n  category: ops\n  tags: jira\n  version: "1.10"\n  requires-tools: shell, activate_skill\n',
      ),
      ...skill('all-above', linesOf(skillFieldList)),
      ...skill('all-below', `metadata:\n${linesOf(ofMetadata, '  ')}`),
      ...skill('at-hand', 'requires_tools: activate_skill read_skill_resource\n'),
      ...skill('odd-tags', 'tags: [Meeting Notes, meeting-notes, C++]\n'),
      ...skill('many-tags', `tags: [${many.join(', ')}]\n`),
    },
  });
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

const get = (name: string) =>
  parseAnswer(adminSkillDetailSchema, admin(`/api/admin/skills/${name}`));
const diagnosticsOn = async (name: string, prefix: string) =>
  (await get(name)).diagnostics.filter(({ code }) => code.startsWith(prefix));

test.each(['above', 'below'])(
  'category, tags, version and required tools are fields of a skill: %s',
  async (name) => {
    const fields = {
      category: 'ops',
      tags: ['jira'],
      version: '1.10',
      requiresTools: ['shell', 'activate_skill'],
    };
    expect(await get(name)).toMatchObject(fields);
    expect(await parseAnswer(skillDetailSchema, admin(`/api/skills/${name}`))).toMatchObject(
      fields,
    );
  },
);

test.each([
  ['all-above', skillFieldList],
  ['all-below', ofMetadata],
])(
  'each field of the table is parsed and returned to those who may see it: %s',
  async (name, fields) => {
    const { items } = await parseAnswer(skillsApi.list.response, admin('/api/skills'));
    const answers = {
      member: {
        list: items.find((item) => item.name === name),
        detail: await parseAnswer(skillDetailSchema, admin(`/api/skills/${name}`)),
      },
      admin: {
        list: (
          await parseAnswer(adminSkillListSchema, admin(`/api/admin/skills?query=${name}`))
        ).items.find((item) => item.name === name),
        detail: await get(name),
      },
    };
    for (const { key, type, ...field } of fields) {
      const value = type === 'text' ? key.toLowerCase() : [key.toLowerCase()];
      for (const reader of ['member', 'admin'] as const) {
        const inList = field[reader] === 'list' ? value : undefined;
        expect(Reflect.get(answers[reader].list ?? {}, key)).toEqual(inList);
        const inDetail = field[reader] ? value : undefined;
        expect(Reflect.get(answers[reader].detail, key)).toEqual(inDetail);
      }
    }
  },
);

test('a skill that requires an unavailable tool is offered, and its page says so', async () => {
  expect(await get('above')).toMatchObject({ status: 'on' });
  expect(await diagnosticsOn('above', 'tools-')).toMatchObject([
    { code: 'tools-missing', severity: 'warning', message: expect.stringMatching(/: shell\./) },
  ]);
  expect(await diagnosticsOn('at-hand', 'tools-')).toEqual([]);
  const warned = await parseAnswer(
    adminSkillListSchema,
    admin('/api/admin/skills?problems=warnings'),
  );
  const names = warned.items.map(({ name }) => name);
  expect(names).toContain('above');
  expect(names).not.toContain('at-hand');
  expect(warned.facets.problems.warnings).toBe(warned.total);
});

test('an import warns of unavailable tools as well', async () => {
  const body = '---\nname: new-one\ndescription: It.\nrequires-tools: shell\n---\nDo it.\n';
  const headers = { 'Content-Type': 'text/markdown' };
  const report = await admin('/api/admin/skills/validate', { method: 'POST', headers, body });
  expect(await report.json()).toMatchObject({
    skills: [
      {
        accepted: true,
        diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'tools-missing' })]),
      },
    ],
  });
});

test('tags are normalised to lower case with hyphens, deduplicated, and the skill gets a warning', async () => {
  expect((await get('odd-tags')).tags).toEqual(['meeting-notes', 'c++']);
  expect(await diagnosticsOn('odd-tags', 'tags-')).toMatchObject([
    { code: 'tags-invalid', severity: 'info', line: 4 },
  ]);
});

test('of more than 20 tags the first 20 count, and the skill gets a warning', async () => {
  expect((await get('many-tags')).tags).toEqual(many.slice(0, 20));
  expect(await diagnosticsOn('many-tags', 'tags-')).toMatchObject([
    { code: 'tags-too-many', message: 'There are 22 tags; only the first 20 are used.' },
  ]);
});

test.each([
  ['Meeting Notes', 'tags-invalid'],
  [many.join(', '), 'tags-too-many'],
])('rejects a new skill with the tags %s', async (tags, code) => {
  const refused = await admin('/api/admin/skills', {
    json: { name: 'new-one', description: 'Does it.', body: 'Do it.', metadata: { tags } },
  });
  expect(refused.status).toBe(400);
  expect(await parseProblem(refused)).toMatchObject({ code: 'invalid-skill', issues: [{ code }] });
  expect((await admin('/api/admin/skills/new-one')).status).toBe(404);
});

test("an admin overrides a skill's display name, and can reset it", async () => {
  const put = (json: unknown) => admin('/api/admin/skills/at-hand', { method: 'PUT', json });
  await put({ overrides: { description: 'Described.' } });
  const named = { displayName: 'Near you', ownDisplayName: 'at-hand', description: 'Described.' };
  expect(await (await put({ overrides: { displayName: ' Near you ' } })).json()).toMatchObject(
    named,
  );
  const shown = await admin('/api/skills/at-hand');
  expect(await shown.json()).toMatchObject({ name: 'at-hand', displayName: 'Near you' });
  const found = await admin('/api/admin/skills?query=near+you');
  expect(await found.json()).toMatchObject({ items: [{ name: 'at-hand' }] });
  expect(await (await admin('/api/admin/audit?limit=1')).json()).toMatchObject({
    items: [{ action: 'settings-changed', after: { overrides: { displayName: 'Near you' } } }],
  });

  const back = await put({ overrides: { displayName: '' } });
  expect(await back.json()).toMatchObject({ displayName: 'at-hand', description: 'Described.' });
  expect((await put({ overrides: { displayName: 'x'.repeat(129) } })).status).toBe(400);
});

test('recursive metadata is a diagnostic like other invalid YAML', async () => {
  const body = '---\nname: many-tags\ndescription: It.\nmetadata: &m\n  a: *m\n---\nDo it.\n';
  const path = '/api/admin/skills/many-tags/files/SKILL.md';
  const headers = { 'Content-Type': 'application/octet-stream' };
  expect((await admin(path, { method: 'PUT', body, headers })).status).toBe(200);
  expect(await diagnosticsOn('many-tags', 'yaml-')).toMatchObject([{ code: 'yaml-invalid' }]);
});
