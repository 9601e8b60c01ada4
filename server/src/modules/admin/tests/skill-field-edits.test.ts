import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemSchema } from '@knowhow/shared/problem';
import { adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { writeFiles } from '../../../testing/write-files.ts';

let server: TestServer;
let admin: Visitor;

beforeAll(async () => {
  const plugin = '---\nname: letters\ndescription: Writes letters.\n---\nWrite.\n';
  server = await startTestServer({
    files: {
      'skills/notes/SKILL.md': '---\nname: notes\ndescription: Takes notes.\n---\nTake notes.\n',
      'plugins/office/plugin.json': { id: 'office', skills: ['./skills/letters'] },
      'plugins/office/skills/letters/SKILL.md': plugin,
    },
  });
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

const path = () => join(server.folder, 'contents/skills/notes/SKILL.md');
const put = (fields: unknown, name = 'notes', headers = {}) =>
  admin(`/api/admin/skills/${name}/fields`, { method: 'PUT', json: fields, headers });
const refusal = async (answer: Promise<Response>) => {
  const response = await answer;
  const { code, issues } = problemSchema.parse(await response.json());
  return [response.status, code, issues?.[0]?.path];
};

async function write(frontmatter: string, lineEnd = '\n') {
  const text = `---\nname: notes\ndescription: Takes notes.\n${frontmatter}---\n\nTake notes.\n`;
  await writeFiles(server.folder, {
    'contents/skills/notes/SKILL.md': text.replaceAll('\n', lineEnd),
  });
  await server.app.ready;
}

/** The lines of the frontmatter after name and description. */
async function written() {
  const text = await readFile(path(), 'utf8');
  return /^---\r?\nname: notes\r?\ndescription: Takes notes.\r?\n(.*)---\r?\n\r?\nTake notes.\r?\n$/s.exec(
    text,
  )?.[1];
}

const all = {
  version: '1.10',
  license: 'MIT',
  compatibility: 'Needs git.',
  category: 'ops',
  tags: 'minutes, meetings',
  requiresTools: 'calculate, ask_user',
};

test.each([
  [
    'without any, adds ours below metadata',
    '',
    all,
    'metadata:\n  version: "1.10"\n  category: ops\n  tags: minutes, meetings\n  requires-tools: calculate, ask_user\nlicense: MIT\ncompatibility: Needs git.\n',
  ],
  [
    'with existing ones, keeps comments and unknown fields',
    '# Ours\nteam: ada # lead\ntags: [a, b] # filed\nmetadata:\n  # Kept\n  category: "ops"\n  other: 1.0\n',
    { category: 'coding', tags: 'b, c' },
    '# Ours\nteam: ada # lead\ntags: [ b, c ] # filed\nmetadata:\n  # Kept\n  category: "coding"\n  other: 1.0\n',
  ],
  [
    'in another spelling',
    'requires_tools: calculate\nuser-invocable: true\n',
    { requiresTools: 'ask_user' },
    'requires_tools: ask_user\nuser-invocable: true\n',
  ],
  [
    'a list in lines',
    'tags:\n- a # first\n- b\nother:\n- x\n',
    { tags: 'a, d' },
    'tags:\n- a # first\n- d\nother:\n- x\n',
  ],
  [
    'an empty text removes a field and an empty metadata',
    'license: MIT\n# Why\nmetadata:\n  tags: a\n# End\nteam: x\n',
    { license: '', tags: '' },
    '# Why\n# End\nteam: x\n',
  ],
  [
    'a duplicate field is merged',
    'category: ops\nmetadata:\n  category: coding\n  team: x\n',
    { category: 'design' },
    'category: design\nmetadata:\n  team: x\n',
  ],
  [
    'strings that YAML would parse as another type',
    'team: x\n',
    { version: '1.0', category: 'yes: no', license: '# none', compatibility: 'true' },
    'team: x\nmetadata:\n  version: "1.0"\n  category: "yes: no"\nlicense: "# none"\ncompatibility: "true"\n',
  ],
  ['an empty metadata', 'metadata:\n', { category: 'ops' }, 'metadata:\n  category: ops\n'],
])('%s', async (_, before, fields, after) => {
  await write(before);
  const skill = await parseAnswer(adminSkillDetailSchema, put(fields));
  expect(await written()).toBe(after);
  const read = {
    ...skill,
    tags: skill.tags.join(', '),
    requiresTools: skill.requiresTools.join(', '),
  };
  const wanted = Object.entries(fields).filter(([, text]) => text !== '');
  expect(read).toMatchObject(Object.fromEntries(wanted));
});

test('preserves Windows line endings', async () => {
  await write('team: x # ours\n', '\r\n');
  expect((await put({ category: 'ops' })).status).toBe(200);
  expect(await written()).toBe('team: x # ours\r\nmetadata:\r\n  category: ops\r\n');
});

test.each([
  [{ tags: 'C++' }, 'invalid-skill', 'tags'],
  [{ tags: Array.from({ length: 21 }, (_, at) => `t${at}`).join(', ') }, 'invalid-skill', 'tags'],
  [{ compatibility: 'x'.repeat(501) }, 'invalid-skill', 'compatibility'],
  [{ category: 'x'.repeat(1001) }, 'invalid-request', 'category'],
  [{ category: 'a\u0000b' }, 'invalid-request', 'category'],
  [{ requiresTools: 'a\nb' }, 'invalid-request', 'requiresTools'],
  [{ tags: ['a'] }, 'invalid-request', 'tags'],
  [{ name: 'other' }, 'invalid-request', 'name'],
  [{}, 'invalid-request', ''],
])('rejects %o at its field, and the file stays', async (fields, code, field) => {
  await write('team: x\n');
  expect(await refusal(put(fields))).toEqual([expect.any(Number), code, field]);
  expect(await written()).toBe('team: x\n');
});

test.each([
  ['is not YAML', 'team: "x\n'],
  ['has metadata that is a string', 'metadata: ours\n'],
  ['uses the field elsewhere', 'category: &c ops\nteam: *c\n'],
])('leaves to the editor a frontmatter that %s', async (_, before) => {
  await write(before);
  expect(await refusal(put({ category: 'design' }))).toEqual([409, 'conflict', undefined]);
  expect(await written()).toBe(before);
});

test("preserves another administrator's concurrent change, and the state before it", async () => {
  await write('team: x\n');
  const { checksum } = await parseAnswer(adminSkillDetailSchema, put({ category: 'ops' }));
  await put({ category: 'design' });
  const late = put({ category: 'coding' }, 'notes', { 'if-match': checksum });
  expect((await refusal(late))[1]).toBe('changed-meanwhile');
  const versions = await (await admin('/api/skill-versions/notes')).text();
  expect(versions).toContain(`"action":"fields-changed","summary":"category"`);
});

test('does not change a read-only skill, or a missing one', async () => {
  expect((await refusal(put({ category: 'ops' }, 'letters')))[1]).toBe('read-only');
  expect((await refusal(put({ category: 'ops' }, 'nothing')))[1]).toBe('not-found');
});
