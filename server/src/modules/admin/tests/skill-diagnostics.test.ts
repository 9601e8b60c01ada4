import { join } from 'node:path';
import { adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import { skillArchivesApi } from '@knowhow/shared/skills/skill-archives';
import type { Diagnostic, SkillMessageText } from '@knowhow/shared/skills/skills';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { rawZip } from '../../../testing/raw-zip.ts';
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
  server = await startTestServer();
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

const get = (name: string) =>
  parseAnswer(adminSkillDetailSchema, admin(`/api/admin/skills/${name}`));

/** Adds files to a skill's folder, and returns its page once the skill is loaded. */
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
  test('is reported as a comment, and quoted on request', async () => {
    const text = '---\nname: academic\ndescription: # Academic writing: helps.\n---\n\nDo it.\n';
    const before = await drop('academic', { 'SKILL.md': text });
    expect(before).toMatchObject({ status: 'off', ownDescription: 'Academic writing: helps.' });
    expect(before.diagnostics).toMatchObject([
      {
        code: 'description-missing',
        severity: 'error',
        line: 3,
        message: expect.stringContaining('begins with "#", so it is a comment'),
        fixable: true,
      },
    ]);
    const json = { code: 'description-missing' };
    const fixed = await parseAnswer(
      adminSkillDetailSchema,
      admin('/api/admin/skills/academic/fix', { json }),
    );
    expect(fixed).toMatchObject({
      status: 'on',
      diagnostics: [],
      ownDescription: 'Academic writing: helps.',
    });
  });

  test('in the middle is reported, because the rest is not parsed', async () => {
    expect(await diagnosticsOf('sharp', 'description: Writes C # and more.')).toEqual([
      'warning yaml-comment 3',
    ]);
    expect(await diagnosticsOf('sharp-quoted', 'description: "Writes C # and more."')).toEqual([]);
  });
});

describe('reports one cause once:', () => {
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
      'a missing brace in multiple lines',
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
    ['invalid YAML', 'list', '- description\nmetadata: [}', ['error frontmatter-unreadable 3']],
  ])('%s', async (_what, name, fields, expected) => {
    expect(await diagnosticsOf(name, fields)).toEqual(expected);
  });

  test('of a conflict, the first side is used', async () => {
    expect(await get('conflict')).toMatchObject({
      status: 'on',
      ownDescription: 'One.',
      metadata: { a: 'b' },
    });
  });

  test('recognises a conflict around the frontmatter', async () => {
    const side = (text: string) => `---\nname: around\ndescription: ${text}\n---\n\nDo it.\n`;
    const text = `<<<<<<< HEAD\n${side('One.')}=======\n${side('Two.')}>>>>>>> branch\n`;
    expect((await drop('around', { 'SKILL.md': text })).diagnostics).toMatchObject([
      { code: 'merge-conflict', line: 1 },
    ]);
  });
});

test('rejects the upload of an unreadable skill', async () => {
  const body = '---\n- name: lost\n- description: It.\n---\n\nDo it.\n';
  const headers = { 'Content-Type': 'text/markdown' };
  const response = await admin('/api/admin/skills/upload', { method: 'POST', body, headers });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('frontmatter-unreadable');
});

test('messages come with their key and values, for translation', async () => {
  const folder = {
    'SKILL.md': '---\ndescription: It.\nextra: [a]\n---\n\nRead [this](references/gone.md).\n',
    'notes/a.md': 'Read\u200b this.\n',
  };
  const { diagnostics } = await drop('worded', folder);
  expect(diagnostics.map(({ code, file, ...said }) => [code, file, worded(said)])).toEqual([
    ['name-missing', undefined, said('name-missing-folder', 'name-add', { name: 'worded' })],
    [
      'unknown-field',
      undefined,
      said('unknown-field-named', 'unknown-field-list', { field: 'extra' }),
    ],
    [
      'hidden-characters',
      'notes/a.md',
      said('hidden-character', undefined, { number: 1, line: 1 }),
    ],
    ['file-missing', undefined, said('file-named', undefined, { file: 'references/gone.md' })],
  ]);
});

function worded({ text, fixText, values }: Partial<Diagnostic>) {
  return said(text, fixText, values);
}

function said(
  text: string | undefined,
  fixText: string | undefined,
  values: SkillMessageText['values'],
) {
  return { text, fixText, values };
}

describe('the files of a skill added by hand', () => {
  const hidden = 'Read\u200b this.\n';
  const key = `aws = "AKIA${'ABCDEFGH12345678'}"\n`;
  const plain = (body: string) => `---\nname: looked\ndescription: It.\n---\n\n${body}`;
  const reported = async () =>
    (await get('looked')).diagnostics.map(({ code, message, line }) => [code, line, message]);

  test('are inspected on its page, again when they change, and stay hidden if they are', async () => {
    await drop('looked', {
      'SKILL.md': plain(`Do it.\n${hidden}`),
      'references/a.md': hidden,
      'notes/keys.txt': `One.\n${key}`,
      'picture.png': `\0${hidden}${key}`,
    });
    const sentence = 'It contains an invisible character, in line';
    const expected = [
      ['hidden-characters', 7, `${sentence} 7.`],
      [
        'looks-like-secret',
        undefined,
        'notes/keys.txt: Line 2 contains what looks like an AWS access key: AKIA…',
      ],
      ['hidden-characters', undefined, `references/a.md: ${sentence} 1.`],
    ];
    expect(await reported()).toEqual(expected);
    expect(await reported()).toEqual(expected);
    await writeFiles(join(server.folder, 'contents/skills/looked'), {
      'notes/keys.txt': 'None any more.\n',
      'references/a.md': 'Read this.\n',
    });
    expect(await reported()).toEqual(expected.slice(0, 1));
  });

  test('are checked where the instructions refer to them, suggesting the nearest', async () => {
    await writeFiles(join(server.folder, 'contents/skills/looked'), {
      'SKILL.md': plain(
        [
          'Read [the limits](references/limit.md), [the same](./references/limits.md#top),',
          '[a page](https://example.org/a.md), [a sibling](../other/SKILL.md) and `assets/form.docx`.',
          '',
          '```md',
          '[How to write a link](some/file.md)',
          'python scripts/run.py --all',
          '```',
        ].join('\n'),
      ),
      'references/limits.md': 'Ten.\n',
      'scripts/run_all.py': 'print()\n',
    });
    const missing = async () => (await reported()).filter(([code]) => code === 'file-missing');
    await expect.poll(missing).toEqual([
      [
        'file-missing',
        6,
        '"references/limit.md" is not in the folder; did you mean "references/limits.md"?',
      ],
      ['file-missing', 7, '"assets/form.docx" is not in the folder.'],
      [
        'file-missing',
        11,
        '"scripts/run.py" is not in the folder; did you mean "scripts/run_all.py"?',
      ],
    ]);
    await writeFiles(join(server.folder, 'contents/skills/looked'), {
      'references/limit.md': 'Ten.\n',
      'assets/form.docx': 'x',
      'scripts/run.py': 'print()\n',
    });
    expect(await missing()).toEqual([]);
  });
});

test('files missing from an archive are reported before the import; for a bare SKILL.md none are', async () => {
  const text = '---\nname: packed\ndescription: It.\n---\n\nRead [this](docs/a.md).\n';
  const codes = async (body: Uint8Array, type: string) => {
    const init = { method: 'POST', body, headers: { 'Content-Type': type } };
    const response = await admin('/api/admin/skills/validate', init);
    const { skills } = await parseAnswer(skillArchivesApi.validate.response, response);
    return skills[0]?.diagnostics.map(({ code }) => code);
  };
  const zip = (name: string) =>
    rawZip([
      { name: 'packed/SKILL.md', content: text },
      { name: `packed/${name}`, content: 'A' },
    ]);
  expect(await codes(zip('docs/b.md'), 'application/zip')).toEqual(['file-missing']);
  expect(await codes(zip('docs/a.md'), 'application/zip')).toEqual([]);
  expect(await codes(Buffer.from(text), 'text/markdown')).toEqual([]);
});

test('a truncated description is reported, and its entry respects the maximum length', async () => {
  const sentences = 'Reads the tables of a report, and says which of the figures disagree. ';
  const text = `---\nname: wordy\ndescription: ${sentences.repeat(13)}\n---\n\nDo it.\n`;
  const { diagnostics, tokens } = await drop('wordy', { 'SKILL.md': text });
  expect(diagnostics).toMatchObject([
    { code: 'description-shortened', severity: 'info', line: 3, fixable: false },
  ]);
  expect(tokens.entry).toBeLessThanOrEqual(200);
  expect(await diagnosticsOf('brief', `description: ${sentences.repeat(6)}`)).toEqual([]);
});
