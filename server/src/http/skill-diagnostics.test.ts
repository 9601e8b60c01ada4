import { join } from 'node:path';
import { adminSkillDetailSchema } from '@knowhow/shared/admin-skill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAnswer } from '../testing/parse-answer.ts';
import { signInAdmin } from '../testing/sign-in-admin.ts';
import { startTestServer, type TestServer, type Visitor } from '../testing/start-test-server.ts';
import { writeFiles } from '../testing/write-files.ts';

let server: TestServer;
let admin: Visitor;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

const get = (name: string) =>
  parseAnswer(adminSkillDetailSchema, admin(`/api/admin/skills/${name}`));

/** Drops files into the folder of a skill, and gives its page once the skill is there. */
async function drop(name: string, files: Record<string, string>) {
  await writeFiles(join(server.folder, 'contents/skills', name), files);
  await expect.poll(async () => (await admin(`/api/admin/skills/${name}`)).status).toBe(200);
  return get(name);
}

const diagnosticsOf = async (name: string, fields: string) => {
  const text = `---\nname: ${name}\n${fields}\n---\n\nDo it.\n`;
  const { diagnostics } = await drop(name, { 'SKILL.md': text });
  return diagnostics.map(({ code, severity, line }) => `${severity} ${code} ${line}`);
};

describe('a description that begins with "#"', () => {
  test('is said to be a comment, and put in quotes on request', async () => {
    const text = '---\nname: academic\ndescription: # Academic writing: helps.\n---\n\nDo it.\n';
    const before = await drop('academic', { 'SKILL.md': text });
    expect(before).toMatchObject({ status: 'off', ownDescription: 'Academic writing: helps.' });
    expect(before.diagnostics).toMatchObject([
      {
        code: 'description-missing',
        severity: 'error',
        line: 3,
        message: expect.stringContaining('begins with "#", which makes it a comment'),
        mendable: true,
      },
    ]);
    const json = { code: 'description-missing' };
    const mended = await parseAnswer(
      adminSkillDetailSchema,
      admin('/api/admin/skills/academic/mend', { json }),
    );
    expect(mended).toMatchObject({
      status: 'on',
      diagnostics: [],
      ownDescription: 'Academic writing: helps.',
    });
  });

  test('in the middle is told, for what follows is not read', async () => {
    expect(await diagnosticsOf('sharp', 'description: Writes C # and more.')).toEqual([
      'warning yaml-comment 3',
    ]);
    expect(await diagnosticsOf('sharp-quoted', 'description: "Writes C # and more."')).toEqual([]);
  });
});

describe('one cause is told once:', () => {
  test.each([
    [
      'a merge conflict',
      'conflict',
      '<<<<<<< HEAD\ndescription: One.\nmetadata:\n  a: b\n=======\nname: other\ndescription: Two.\n>>>>>>> branch',
      ['warning merge-conflict 3'],
    ],
    [
      'a missing brace',
      'brace',
      'description: It.\nmetadata: {"a": {"b": "c"}\nlicense: MIT',
      ['warning yaml-unclosed 4'],
    ],
    [
      'a missing brace in lines below',
      'brace-below',
      'description: It.\nmetadata:\n  {\n    "a": { "b": "don\'t" },\nlicense: MIT',
      ['warning yaml-unclosed 4'],
    ],
    [
      'a missing quotation mark',
      'quote',
      'description: "It does.\nlicense: MIT',
      ['warning yaml-unclosed 3'],
    ],
    [
      'what is no YAML at all',
      'list',
      '- description\nmetadata: [}',
      ['error frontmatter-unreadable 3'],
    ],
  ])('%s', async (_what, name, fields, expected) => {
    expect(await diagnosticsOf(name, fields)).toEqual(expected);
  });

  test('of a conflict, the first side is read', async () => {
    expect(await get('conflict')).toMatchObject({
      status: 'on',
      ownDescription: 'One.',
      metadata: { a: 'b' },
    });
  });

  test('a conflict around the frontmatter is one, too', async () => {
    const side = (text: string) => `---\nname: around\ndescription: ${text}\n---\n\nDo it.\n`;
    const text = `<<<<<<< HEAD\n${side('One.')}=======\n${side('Two.')}>>>>>>> branch\n`;
    expect((await drop('around', { 'SKILL.md': text })).diagnostics).toMatchObject([
      { code: 'merge-conflict', line: 1 },
    ]);
  });
});

test('what is lost altogether cannot be uploaded', async () => {
  const body = '---\n- name: lost\n- description: It.\n---\n\nDo it.\n';
  const headers = { 'Content-Type': 'text/markdown' };
  const response = await admin('/api/admin/skills/upload', { method: 'POST', body, headers });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('frontmatter-unreadable');
});
