import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { calls, type ScriptedModel, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import type { Files } from '../../../testing/write-files.ts';
import type { ModelMessage } from '../../models/model.ts';

const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
const many = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`skills/many/parts/${index}.md`, `${index}`]),
);
const files: Files = {
  'apps/chat.json': {
    id: 'chat',
    name: 'Chat',
    skills: ['meeting-notes', 'release-notes', 'many', 'by-hand'],
  },
  'skills/meeting-notes/assets/logo.png': png,
  'skills/meeting-notes/assets/data.bin': Buffer.from([0, 1, 2]),
  'skills/meeting-notes/long.txt': 'ü'.repeat(40_000),
  'skills/release-notes/notes.md': 'Of the sibling.\n',
  'skills/many/SKILL.md': skillFile('many', 'Has many files.'),
  ...many,
  'skills/by-hand/SKILL.md':
    '---\nname: by-hand\ndescription: For users.\ndisable-model-invocation: true\n---\nBy hand.',
  'skills/by-hand/notes.md': 'Of the one by hand.',
  'skills/hidden/SKILL.md': skillFile('hidden', 'Nobody may see it.'),
  'skills/hidden/notes.md': 'Hidden text.',
};

let server: TestServer;
let model: ScriptedModel;
afterEach(() => server.close());

type Result = Extract<ModelMessage, { role: 'tool' }>;

/** What the model gets for each path, one after the other, in a turn with `active` skills. */
async function read(
  paths: (string | Record<string, unknown>)[],
  { active = ['meeting-notes'], more = {} as Files } = {},
): Promise<Result[]> {
  const steps = paths.map((path) =>
    calls([
      'read_skill_resource',
      {
        skill_name: 'meeting-notes',
        ...(typeof path === 'string' ? { file_path: path } : path),
      },
    ]),
  );
  model = scriptedModel(...steps, says('Done.'));
  server = await startTestServer({ model: model.ask, files: { ...files, ...more } });
  const folder = join(server.folder, 'contents/skills');
  await writeFile(join(server.folder, 'secret.txt'), 'top secret');
  await symlink(join(server.folder, 'secret.txt'), join(folder, 'meeting-notes/link.txt'));
  const { status } = await takeTurn(server.visitor(), { message: 'Read', skills: active });
  expect(status).toBe(200);
  return model.requests.slice(1).map(({ messages }) => messages.at(-1) as Result);
}

const contents = (results: Result[]) => results.map(({ content }) => content);

describe('a file of an active skill', () => {
  test('is read, in any spelling of its path', async () => {
    const results = await read([
      './references/format.md',
      'references\\format.md',
      'references%2Fformat.md',
      'REFERENCES/Format.MD',
      'references/format',
      'skill://meeting-notes/references/format.md',
      'meeting-notes/references/format.md',
      '../meeting-notes/references/format.md',
      'skill.md',
    ]);
    const whole = contents(results).pop();
    expect(contents(results).slice(0, -1)).toEqual(Array(8).fill('One decision a line.\n'));
    expect(whole).toMatch(/^---\nname: meeting-notes/);
  });

  test('is read in pages that never split a character', async () => {
    const large = {
      id: 'scripted',
      modelId: 'x',
      name: 'X',
      provider: 'local',
      contextWindow: 1_000_000,
    };
    const [first, second, end, small] = await read(
      [
        'long.txt',
        { file_path: 'long.txt', offset: 65_536, limit: null },
        { file_path: 'long.txt', offset: 80_000 },
        { file_path: 'long.txt', offset: 1000, limit: 1 },
      ],
      { more: { 'models/scripted.json': large } },
    );
    const note = '\n\n[Bytes 0 to 65536 of 80000. Next: offset 65536.]';
    expect(first?.content).toBe('ü'.repeat(32_768) + note);
    expect(second?.content).toBe('ü'.repeat(7232));
    expect(end?.content).toBe('[The file ends at byte 80000.]');
    expect(small?.content).toContain('Next: offset 1004');
  });

  test('that is an image is shown to a model with vision, otherwise described like other binaries', async () => {
    const sees = {
      id: 'scripted',
      modelId: 'x',
      name: 'X',
      provider: 'local',
      supportsVision: true,
    };
    const paths = ['assets/logo.png', 'assets/data.bin'];
    const [picture] = await read(paths, { more: { 'models/scripted.json': sees } });
    expect(picture?.images).toEqual([{ mediaType: 'image/png', data: png.toString('base64') }]);
    await server.close();
    const [blind, binary] = await read(paths);
    expect(blind).not.toHaveProperty('images');
    expect(blind?.content).toMatch(/"assets\/logo.png" is not text: image\/png, 10 bytes/);
    expect(binary?.content).toMatch(/"assets\/data.bin".+application\/octet-stream, 3 bytes/);
  });
});

describe('a missing file', () => {
  test('is answered with the nearest name; a second one with the advice to stop', async () => {
    const [first, second] = await read(
      [
        { skill_name: 'many', file_path: 'chapters/7.txt' },
        { skill_name: 'many', file_path: 'none' },
      ],
      { active: ['many'] },
    );
    expect(first).toMatchObject({ isError: true });
    expect(first?.content).toMatch(
      /^There is no file "chapters\/7.txt" in skill "many"\. Nearest of its 30 files: parts\/7\.md(, parts\/\d+\.md){4}\.$/,
    );
    expect(second?.content).toMatch(/Do not try again/);
  });

  test.each([
    '../../secret.txt',
    '/etc/passwd',
    '%2Fetc%2Fpasswd',
    '..%2F..%2F..%2Fsecret.txt',
    'link.txt',
    'link',
    'references/format.md\0',
    'C:\\secret.txt',
    'references',
    '',
  ])('%j is treated as missing, and nothing is read (path traversal)', async (path) => {
    const [result] = await read([path]);
    expect(result).toMatchObject({ isError: true });
    expect(result?.content).toContain(`There is no file "${path}" in skill "meeting-notes".`);
    expect(JSON.stringify(model.requests)).not.toMatch(/top secret|root:/);
  });
});

describe('a file of another skill', () => {
  const paths = (name: string) => [`../${name}/notes.md`, `skill://${name}/notes.md`];

  test('is read if that is active as well', async () => {
    const results = await read(paths('release-notes'), {
      active: ['meeting-notes', 'release-notes'],
    });
    expect(contents(results)).toEqual(['Of the sibling.\n', 'Of the sibling.\n']);
  });

  test('requires its activation first', async () => {
    const [result] = await read(paths('release-notes'));
    expect(result?.content).toMatch(/"release-notes" is not active\. Call activate_skill/);
  });

  test.each(['hidden', 'by-hand'])(
    '%s that the model may not know of is as one that does not exist',
    async (name) => {
      const wanted = [...paths(name), { skill_name: name, file_path: 'notes.md' }];
      const there = contents(await read(wanted));
      await server.close();
      const invented = JSON.parse(JSON.stringify(wanted).replaceAll(name, 'invented'));
      const absent = contents(await read(invented));
      expect(there.map((text) => text.replaceAll(name, 'invented'))).toEqual(absent);
      expect(there[0]).toContain('There is no file');
      expect(there[2]).toContain('is not available');
    },
  );
});

test('a skill whose folder disappears does not end the turn', async () => {
  const goesAway = () => rm(join(server.folder, 'contents/skills/many'), { recursive: true });
  model = scriptedModel(
    [goesAway, ...calls(['activate_skill', { skill_name: 'many' }])],
    says('Done.'),
  );
  server = await startTestServer({ model: model.ask, files });
  const { text } = await takeTurn(server.visitor(), { message: 'Read' });
  expect(text).toBe('Done.');
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    isError: true,
    // "Not", if the watcher noticed it before the call.
    content: expect.stringMatching(/^Skill "many" is (no longer|not) available/),
  });
});
