import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { adminToolsApi } from '@knowhow/shared/config/admin-tools';
import { healthApi } from '@knowhow/shared/config/health';
import { listMcpServers } from '@knowhow/shared/config/mcp-config';
import { afterEach, describe, expect, test } from 'vitest';
import { folderWarnings } from '../../../check-folders.ts';
import { parseEnvironment } from '../../../env.ts';
import { handlerPlugin } from '../../../testing/foreign-skills.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { type Files, temporaryFolder, writeFiles } from '../../../testing/write-files.ts';
import { mcpFileSchema } from '../../content/mcp-file-schema.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(files: Files, environment: Record<string, string> = {}) {
  server = await startTestServer({ files, environment });
  return signInAdmin(server);
}

async function faults(admin: Awaited<ReturnType<typeof start>>) {
  return (await parseAnswer(healthApi.faults.response, admin('/api/admin/faults'))).items;
}

describe('ignores entries among the skills that are not skills', () => {
  const typed = '# Greeter\n\nGreets.\n';
  test.each<[string, string, Files]>([
    ['an AnythingLLM plugin', 'letter-counter/plugin.json', handlerPlugin('letter-counter')],
    [
      'a handler without a manifest',
      'half/handler.js',
      { 'half/handler.js': 'exports.runtime = {};' },
    ],
    ['a manifest without a handler', 'half/plugin.json', { 'half/plugin.json': '{}' }],
    ['a typed skill in its folder', 'greeter/cskill.md', { 'greeter/cskill.md': typed }],
    ['a typed skill as a file', 'greeter.tskill.md', { 'greeter.tskill.md': typed }],
    ['a typed skill of an unknown kind', 'x.zskill.md', { 'x.zskill.md': typed }],
    ['one in a nested folder', 'team/a/greeter.skill.md', { 'team/a/greeter.skill.md': typed }],
  ])(
    '%s is a fault with the next step, in the skills and in an extra folder',
    async (_, path, files) => {
      const extra = await temporaryFolder();
      await writeFiles(extra, { ...files, 'other/SKILL.md': skillFile('other', 'Other.') });
      const admin = await start({}, { SKILLS_EXTRA_DIRS: extra });
      expect(await faults(admin)).toMatchObject([
        { path: extra, message: expect.stringContaining(join(extra, path)) },
      ]);
      const contents = join(server?.folder ?? '', 'contents/skills');
      await writeFiles(contents, files);
      await waitFor(async () => (await faults(admin)).length === 2);
      const [fault] = (await faults(admin)).filter((each) => each.path === contents);
      expect(fault?.message).toContain(join(contents, path));
      expect(fault?.message).toContain('/admin/skills/import');
    },
  );

  test('files next to a SKILL.md, and plugin manifests with skills, are not skills', async () => {
    const extra = await temporaryFolder();
    await writeFiles(extra, {
      'good/SKILL.md': skillFile('good', 'Good.'),
      'good/handler.js': 'exports.runtime = {};',
      'pack/plugin.json': '{"name": "pack"}',
      'pack/skills/more/SKILL.md': skillFile('more', 'More.'),
      'notes/skills.md': 'Some notes.',
    });
    const admin = await start({}, { SKILLS_EXTRA_DIRS: extra });
    expect(await faults(admin)).toEqual([]);
    expect((await admin('/api/admin/skills/more')).status).toBe(200);
  });
});

test('reads a plain list of paths as sources, and reports an empty one', async () => {
  const admin = await start({
    'config/skills.json': {
      settings: { sources: ['contents/more', { path: 'contents/most' }, 'contents/none'] },
    },
    'more/one/SKILL.md': skillFile('one', 'One.'),
    'most/two/SKILL.md': skillFile('two', 'Two.'),
    'none/README.md': 'Nothing.',
  });
  for (const name of ['one', 'two']) {
    expect((await admin(`/api/admin/skills/${name}`)).status).toBe(200);
  }
  expect(await faults(admin)).toMatchObject([
    { field: 'settings.sources.2', message: expect.stringContaining('SKILL.md not found at') },
  ]);
});

test('an extra folder without any skill is an issue, and aborts a strict start', async () => {
  const extra = await temporaryFolder();
  await writeFiles(extra, { 'README.md': 'Nothing.' });
  const admin = await start({}, { SKILLS_EXTRA_DIRS: extra });
  expect(await faults(admin)).toMatchObject([
    { path: 'SKILLS_EXTRA_DIRS', message: expect.stringContaining('SKILL.md not found at') },
  ]);
  const environment = { SKILLS_EXTRA_DIRS: extra, SKILLS_STRICT: 'true' };
  await expect(startTestServer({ environment })).rejects.toThrow('SKILL.md not found at');
});

test.each([
  [
    'a name that differs from its folder',
    'a',
    '---\nname: b\ndescription: It.\n---\nDo\n',
    'mismatch',
  ],
  ['an illegal name', 'my-skill', '---\nname: My Skill\ndescription: It.\n---\nDo\n', 'My Skill'],
  ['no name', 'a', '---\ndescription: It.\n---\nDo\n', 'no name'],
  ['YAML with tabs', 'a', '---\nname: a\ndescription: It.\nmetadata:\n\tx: y\n---\nDo\n', 'tab'],
  [
    'a value that YAML rejects',
    'a',
    '---\nname: a\ndescription: Use: this\n---\nDo\n',
    'a/SKILL.md',
  ],
  [
    'a duplicate key',
    'a',
    '---\nname: a\ndescription: A.\ndescription: B.\n---\nDo\n',
    'a/SKILL.md',
  ],
  [
    'a fence around its frontmatter',
    'a',
    '```\n---\nname: a\ndescription: It.\n---\n```\n',
    'a/SKILL.md',
  ],
])('a strict start aborts at a skill with %s', async (_, folder, text, message) => {
  const started = startTestServer({
    environment: { SKILLS_STRICT: 'true' },
    files: { [`skills/${folder}/SKILL.md`]: text },
  });
  await expect(started).rejects.toThrow(message);
});

test.each([0o777, 0o757, 0o755])(
  'warns at startup of skill folders that are world-writable: %o',
  async (mode) => {
    const extra = await temporaryFolder();
    await writeFiles(extra, { 'one/SKILL.md': skillFile('one', 'One.') });
    await chmod(join(extra, 'one'), mode);
    const contents = await temporaryFolder();
    const environment = parseEnvironment({ CONTENTS_DIR: contents, SKILLS_EXTRA_DIRS: extra });
    const warnings = folderWarnings(environment).join('\n');
    const expected = (mode & 0o002) !== 0;
    expect(warnings.includes(join(extra, 'one'))).toBe(expected);
  },
);

test("imports AnythingLLM's suppressed tools and autostart", () => {
  const of = (anythingllm: unknown, more = {}) => {
    const config = { mcpServers: { jira: { command: 'jira', anythingllm, ...more } } };
    return listMcpServers(mcpFileSchema.parse(config))[0];
  };
  expect(of({ autoStart: false })?.enabled).toBe(false);
  expect(of({ autoStart: true })?.enabled).toBe(true);
  expect(of({ autoStart: true }, { disabled: true })?.enabled).toBe(false);
  expect(
    of({ suppressedTools: ['search', 'jira-delete'] }, { excludedTools: ['old'] })?.excludedTools,
  ).toEqual(['old', 'search', 'jira-delete', 'delete']);
});

test("maps iHub's tools or reports them individually", async () => {
  const admin = await start({
    'config/tools.json': [
      { id: 'jira', name: 'Jira', script: 'jira.js', parameters: {} },
      { id: 'webContentExtractor', script: 'webContentExtractor.js', enabled: false },
      { name: 'nameless' },
      'text',
      { id: 'builtin/calculate', enabled: false },
    ],
  });
  expect(await faults(admin)).toMatchObject([
    { path: 'contents/config/tools.json', field: '0', message: expect.stringContaining('jira.js') },
    { field: '2', message: expect.stringContaining('no "id"') },
    { field: '3', message: expect.stringContaining('no "id"') },
  ]);
  const { sources } = await parseAnswer(adminToolsApi.list.response, admin('/api/admin/tools'));
  const off = sources
    .flatMap(({ tools }) => tools)
    .filter(({ enabled }) => !enabled)
    .map(({ id }) => id);
  expect(off).toEqual(expect.arrayContaining(['builtin/fetch_page', 'builtin/calculate']));
});

test.each([
  ['a folder', 'notes-folder'],
  ['a path', 'contents/skills/notes-folder/'],
])('an entry of skills.json that names %s applies to the skill there', async (_, directory) => {
  const admin = await start({
    'skills/notes-folder/SKILL.md': skillFile('notes-folder', 'Notes.'),
    'config/skills.json': {
      skills: { notes: { directory, enabled: false, overrides: { description: 'Ours.' } } },
    },
  });
  const skill = await (await admin('/api/admin/skills/notes-folder')).json();
  expect(skill).toMatchObject({ status: 'off', description: 'Ours.' });
});
