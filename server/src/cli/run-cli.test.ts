import { readFile, symlink, truncate } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { rawZip } from '../testing/raw-zip.ts';
import { runCommand } from '../testing/run-command.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { temporaryFolder, writeFiles } from '../testing/write-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFiles(folder, {
    'skills/good/SKILL.md': skillFile('good', 'Does <good>.'),
    'skills/odd/SKILL.md': '---\nname: Odd One\ndescription: It.\ncolour: red\n---\nText\n',
    'skills/mute/SKILL.md': '---\nname: mute\n---\nSays nothing of itself.\n',
    'skills/deep/er/skill.md': skillFile('er', 'In lower case.'),
    'skills/good/nested/SKILL.md': skillFile('nested', 'A file of its parent.'),
    'skills/node_modules/x/SKILL.md': skillFile('x', 'Of a package.'),
  });
});

const run = (...args: string[]) => runCommand(args, { skillsFolder: () => join(folder, 'skills') });
const at = (path: string) => join(folder, 'skills', path);

test('reads a folder like a server, with the same depth limit, and reports what is deeper', async () => {
  await writeFiles(folder, { 'skills/1/2/3/deep/SKILL.md': skillFile('deep', 'Lies deep.') });
  expect((await run('list')).out).toContain('deep  on');
  const listed = await runCommand(['list', at('.')], {
    skillLimits: () => ({ maxDepth: 1, maxFolders: 100 }),
  });
  expect(listed.out).not.toContain('deep  on');
  expect(listed.error).toMatch(/[^ ]: \d+ folders? w\w+ not looked into: deeper than 1 level\. /);
});

describe('validate', () => {
  test('prints one line per finding with location, severity, code and fix, and a summary', async () => {
    const { code, out } = await run('validate', at('odd'));
    const lines = out.split('\n');
    expect(code).toBe(0);
    expect(lines[0]).toMatch(
      /odd\/SKILL\.md:2 {2}warning {2}name-invalid +"Odd One" .* — Use 1 to/,
    );
    expect(lines[2]).toMatch(/odd\/SKILL\.md:4 {2}info +unknown-field +"colour"/);
    expect(lines.at(-1)).toBe('1 skill: 0 valid by the specification, 0 rejected');
  });

  test('accepts a folder of skills, a skill, and a SKILL.md', async () => {
    expect((await run('validate', at('.'))).out).toContain('4 skills: 2 valid');
    expect((await run('validate', at('good'), at('odd'))).out).toContain('2 skills: 1 valid');
    expect(await run('validate', at('good/SKILL.md'))).toMatchObject({
      code: 0,
      out: '1 skill: 1 valid by the specification, 0 rejected',
    });
  });

  test('exits with 1 on an error, and in strict mode on what the reference library rejects', async () => {
    expect((await run('validate', at('mute'))).code).toBe(1);
    expect((await run('validate', at('good'), '--strict')).code).toBe(0);
    expect((await run('validate', at('odd'), '--strict')).code).toBe(1);
    await writeFiles(folder, {
      'skills/list/SKILL.md':
        '---\nname: list\ndescription: It.\nallowed-tools:\n  - a\n---\nText\n',
      'skills/more/SKILL.md': '---\nname: more\ndescription: It.\nauthor: me\n---\nText\n',
    });
    expect((await run('validate', at('list'), '--strict')).code).toBe(0);
    expect((await run('validate', at('more'), '--strict')).code).toBe(1);
  });

  test('prints an array of reports as JSON', async () => {
    const reports = JSON.parse((await run('validate', at('.'), '--json')).out);
    expect(reports.map(({ name }: { name: string }) => name)).toEqual([
      'er',
      'good',
      'mute',
      'odd',
    ]);
    expect(reports[2]).toMatchObject({ valid: false, accepted: false });
    expect(reports[2].diagnostics).toMatchObject([{ code: 'description-missing' }]);
  });

  test('checks the files of a skill, and those it refers to', async () => {
    await writeFiles(folder, {
      'skills/files/SKILL.md': skillFile('files', 'Has files.', 'Read `references/a.md`.\n'),
      'skills/files/references/b.md': 'One\u200b.\n',
    });
    const { out, code } = await run('validate', at('files'));
    expect(code).toBe(0);
    expect(out).toMatch(/SKILL\.md:1 +warning +hidden-characters +references\/b\.md: It contains/);
    expect(out).toMatch(/SKILL\.md:6 +warning +file-missing +"references\/a\.md" is not in/);
  });

  test('reports a symbolic link that leads outside', async () => {
    await writeFiles(folder, { 'outside.md': skillFile('out', 'Outside.'), 'skills/out/x': 'x' });
    await symlink(join(folder, 'outside.md'), at('out/SKILL.md'));
    const { code, out } = await run('validate', at('.'));
    expect(code).toBe(1);
    expect(out).toMatch(/error +unreadable +SKILL\.md is a link to a file outside its source\./);
  });
});

describe('validate of an archive', () => {
  const entry = (name: string, content: string) => ({ name, content });
  const packed = (name: string, bytes: Buffer) => writeFiles(folder, { [name]: bytes });

  test('reports each skill in it, with its location', async () => {
    const zip = rawZip([
      entry('repo/good/SKILL.md', skillFile('good', 'Does good.')),
      entry('repo/odd/SKILL.md', '---\nname: Odd One\ndescription: It.\n---\nText\n'),
    ]);
    await packed('skills.zip', zip);
    const { code, out } = await run('validate', join(folder, 'skills.zip'));
    expect(code).toBe(1);
    expect(out).toMatch(/skills\.zip!\/repo\/odd\/SKILL\.md:2 {2}error {4}name-invalid/);
    expect(out).toContain('2 skills: 1 valid by the specification, 1 rejected');
  });

  test('accepts folders and archives together, a skill in the root, and JSON', async () => {
    const text = skillFile('packed', 'Is packed.');
    await packed('root.skill', rawZip([entry('SKILL.md', text)]));
    await packed('skill.json', Buffer.from(JSON.stringify({ content: text })));
    await packed('folder.zip/good/SKILL.md', Buffer.from(skillFile('good', 'Does good.')));
    const paths = ['root.skill', 'skill.json', 'folder.zip'].map((name) => join(folder, name));
    const { code, out } = await run('validate', '--json', ...paths);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      { path: expect.stringMatching(/root\.skill!\/SKILL\.md$/), name: 'packed', valid: true },
      { path: expect.stringMatching(/skill\.json!\/SKILL\.md$/), name: 'packed', valid: true },
      { name: 'good', valid: true },
    ]);
  });

  test('applies the size limits of this installation', async () => {
    const zip = rawZip([entry('SKILL.md', skillFile('two', 'Two.')), entry('a.md', 'a')]);
    await packed('two.zip', zip);
    const listed = await runCommand(['validate', join(folder, 'two.zip')], {
      sizeLimits: () => ({ files: 1, bytes: 1024, fileBytes: 1024 }),
    });
    expect(listed).toMatchObject({
      code: 1,
      out: expect.stringContaining('The skill has more than one file.'),
    });
  });

  test('validates like an import, with the same rejections and names', async () => {
    const long = `---\nname: long\ndescription: ${'x'.repeat(1025)}\n---\nText\n`;
    const zip = rawZip([
      entry('folder-x/SKILL.md', skillFile('z-other-name', 'Has another name.')),
      entry('z bad/SKILL.md', '---\ndescription: It.\n---\nText\n'),
      entry('long/SKILL.md', long),
      entry('link/SKILL.md', 'docs/main.md'),
      entry('link/docs/main.md', skillFile('z-other-name', 'Has a name that is taken.')),
    ]);
    await packed('skills.zip', zip);
    const { code, out } = await run('validate', '--json', join(folder, 'skills.zip'));
    expect(code).toBe(1);
    const reports: { path: string; diagnostics: { code: string; severity: string }[] }[] =
      JSON.parse(out);
    const listed = reports.map(({ diagnostics, ...report }) => ({
      ...report,
      path: report.path.split('!/')[1],
      codes: diagnostics.map(({ code, severity }) => `${severity} ${code}`),
    }));
    expect(listed).toMatchObject([
      {
        path: 'folder-x/SKILL.md',
        name: 'z-other-name',
        valid: true,
        accepted: true,
        codes: ['warning name-directory-mismatch'],
      },
      {
        path: 'link/SKILL.md',
        name: 'z-other-name',
        accepted: false,
        codes: ['warning flattened-symlink', 'warning name-directory-mismatch', 'error name-twice'],
      },
      { name: 'long', accepted: false, codes: ['error description-too-long'] },
      { name: 'z-bad', accepted: false, codes: expect.arrayContaining(['error name-missing']) },
    ]);
  });

  test('prints all issues of a rejected archive, and exits with 1', async () => {
    await packed(
      'bad.zip',
      rawZip([entry('a/SKILL.md', 'x'), entry('../b', ''), entry('a/con', '')]),
    );
    for (const options of [[], ['--strict']]) {
      const { code, out } = await run('validate', join(folder, 'bad.zip'), ...options);
      expect(code).toBe(1);
      expect(out).toMatch(/bad\.zip:1 {2}error {2}path-outside +"\.\.\/b": The path leads/);
      expect(out).toMatch(/bad\.zip:1 {2}error {2}path-reserved-name {2}"a\/con"/);
      expect(out).toContain('1 skill: 0 valid by the specification, 1 rejected');
    }
    await packed('large.zip', Buffer.alloc(0));
    await truncate(join(folder, 'large.zip'), 513 * 1024 * 1024);
    expect((await run('validate', join(folder, 'large.zip'))).out).toContain('error  too-large');
  });
});

describe('list, show, to-prompt', () => {
  test('list prints each skill with its state', async () => {
    await writeFiles(folder, { 'skills/none/SKILL.md': '' });
    const { out } = await run('list');
    expect(out.split('\n').map((line) => line.split(/ +/).slice(0, 2).join(' '))).toEqual([
      'er on',
      'good on',
      'mute off',
      'none broken',
      'odd on',
    ]);
  });

  test('show prints fields, diagnostics and instructions', async () => {
    const { out, code } = await run('show', 'odd');
    expect(code).toBe(0);
    expect(out).toMatch(/^name +odd\ntitle +Odd One\n/);
    expect(out).toMatch(/\n\nText$/);
    expect(await run('show', 'none')).toMatchObject({
      code: 2,
      error: expect.stringContaining('There are: er, good, mute, odd.'),
    });
  });

  test('show also accepts the path of a skill', async () => {
    const named = await run('show', 'odd');
    for (const path of [at('odd'), at('odd/SKILL.md')]) {
      expect(await run('show', path)).toEqual(named);
    }
    expect(await run('show', at('.'))).toMatchObject({
      code: 2,
      error: expect.stringContaining('several skills. Say which: knowhow show NAME'),
    });
    expect(await run('show', at('nowhere'))).toMatchObject({ code: 2 });
  });

  test('to-prompt prints the escaped catalogue of enabled skills', async () => {
    const { out } = await run('to-prompt', at('good'), at('mute'));
    expect(out).toContain('<name>good</name>\n    <description>Does &lt;good&gt;.</description>');
    expect(out).not.toContain('mute');
  });
});

describe('corpus', () => {
  test('counts every folder with a SKILL.md and writes a line for each', async () => {
    const file = join(folder, 'out.jsonl');
    const { code, out } = await run('corpus', at('.'), '--out', file);
    expect(code).toBe(0);
    expect(out).toMatch(/^6 {2}cases\n4 {2}valid\n6 {2}load\n5 {2}enabled\n0 {2}crashed\n/);
    const cases = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(cases.map(({ path }) => path)).toEqual([
      'deep/er',
      'good',
      'good/nested',
      'mute',
      'node_modules/x',
      'odd',
    ]);
    expect(cases[3]).toEqual({
      path: 'mute',
      id: 'mute',
      valid: false,
      loads: true,
      enabled: false,
      codes: ['description-missing'],
    });
  });

  test('reports unreadable skills with one code, and reads nothing outside the tree', async () => {
    await writeFiles(folder, { 'odd.md': skillFile('out', 'Outside.'), 'skills/out/x': 'x' });
    await writeFiles(folder, { 'skills/none/SKILL.md': '' });
    await symlink(join(folder, 'odd.md'), at('out/SKILL.md'));
    const file = join(folder, 'out.jsonl');
    expect((await run('corpus', at('.'), '--out', file)).code).toBe(0);
    const verdict = { valid: false, loads: false, enabled: false, codes: ['unreadable'] };
    for (const path of ['none', 'out']) {
      expect(await readFile(file, 'utf8')).toContain(
        `${JSON.stringify({ path, id: path, ...verdict })}\n`,
      );
    }
  });
});

describe('wrong usage', () => {
  test.each([
    [[], 'Say what to do.'],
    [['toString'], '"toString" is not a command'],
    [['validate'], 'Name at least one PATH.'],
    [['validate', '--colour', 'x'], '--colour'],
    [['list', '--strict'], 'list does not take --strict.'],
    [['validate', '/no/such/folder'], 'Skill path does not exist: /no/such/folder'],
    [['corpus'], 'knowhow corpus DIR'],
  ])('%j exits with 2 and says why', async (args, message) => {
    const { code, out, error } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
  });

  test('an archive where only folders are accepted, and a file that is not a SKILL.md', async () => {
    await writeFiles(folder, { 'a.zip': 'PK', 'b.md': 'text' });
    expect((await run('list', join(folder, 'a.zip'))).error).toContain('only validate reads');
    expect((await run('validate', join(folder, 'b.md'))).error).toContain('neither a folder');
  });

  test('--help explains each command', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    for (const command of ['validate', 'list', 'show', 'to-prompt', 'corpus', 'diagnostics']) {
      expect(out).toContain(`\n  ${command}`);
    }
  });

  test('--help after a command explains that one', async () => {
    const { code, out } = await run('eval', '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: knowhow eval DIR --model ID,… .+\n\n {6}Puts the prompts/);
    expect(out).toMatch(/--against shows .+$/);
    expect(await run('help', 'eval')).toMatchObject({ code: 0, out });
    expect((await run('nothing', '--help')).out).toContain('\n  validate');
  });

  test('names an unknown option without advice about paths', async () => {
    const { code, error } = await run('list', '--jsno');
    expect(code).toBe(2);
    expect(error).toBe("Unknown option '--jsno'.\nSee: knowhow --help");
  });
});

test('matches the list of diagnostics in the documentation', async () => {
  const page = fileURLToPath(new URL('../../../docs/diagnostics.md', import.meta.url));
  const { out } = await run('diagnostics');
  expect(await readFile(page, 'utf8'), `Renew ${relative('', page)}`).toBe(`${out}\n`);
});
