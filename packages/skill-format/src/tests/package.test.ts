import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
/** A project outside of the repository that has installed the packed package. */
const project = mkdtempSync(join(tmpdir(), 'knowhow-skill-format-'));
const installed = join(project, 'node_modules/@knowhow/skill-format');

function run(command: string, args: readonly string[], cwd = project) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function check(...args: string[]) {
  return run(process.execPath, [join(installed, 'skill-check.js'), ...args]);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

const tea =
  '---\nname: tea\ndescription: Brews tea. Use when tea is wanted.\n---\n\nWarm the pot.\n';

beforeAll(() => {
  const source = join(root, 'packages/skill-format');
  expect(run(process.execPath, [join(source, 'build.mjs')])).toMatchObject({ status: 0 });
  const packed = run('npm', ['pack', '--pack-destination', project], join(source, 'dist'));
  expect(packed, packed.stderr).toMatchObject({ status: 0 });
  mkdirSync(installed, { recursive: true });
  const archive = join(project, packed.stdout.trim().split('\n').at(-1) ?? '');
  const unpacked = run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  expect(unpacked, unpacked.stderr).toMatchObject({ status: 0 });
  // Only what its package.json names, because a missing dependency must fail here.
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
}, 120_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

test('a program in another project checks and fixes a skill', () => {
  write(
    'use.mjs',
    `import { checkSkill, fixSkillFile } from '@knowhow/skill-format';
const bytes = new TextEncoder().encode('---\\nname: Tea\\ndescription: Brews tea.\\n---\\nWarm the pot.\\n');
const before = checkSkill('tea', [{ path: 'SKILL.md', bytes }]);
const { bytes: after, fixed } = fixSkillFile('tea', bytes);
const { name, isValid, diagnostics, body } = checkSkill('tea', [{ path: 'SKILL.md', bytes: after }]);
console.log(JSON.stringify({ before: before.isValid, fixed, name, isValid, diagnostics, body }));`,
  );
  const { stdout, stderr } = run(process.execPath, ['use.mjs']);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    before: false,
    fixed: ['name-invalid'],
    name: 'tea',
    isValid: true,
    diagnostics: [],
    body: 'Warm the pot.\n',
  });
});

test('its types need no other package', () => {
  write(
    'use.mts',
    `import { checkSkill, type CheckedSkill } from '@knowhow/skill-format';
const skill: CheckedSkill = checkSkill('tea', [{ path: 'SKILL.md', bytes: new Uint8Array() }]);
const severity: 'error' | 'warning' | 'info' | undefined = skill.diagnostics[0]?.severity;
export { severity };`,
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
  expect(run(process.execPath, [tsc, ...options, 'use.mts'])).toMatchObject({
    status: 0,
    stdout: '',
  });
});

test('skill-check passes good skills, also in folders below', () => {
  write('good/a/tea/SKILL.md', tea);
  write('good/.git/other/SKILL.md', 'not a skill');
  expect(check('good')).toEqual({ status: 0, stdout: '1 skill checked, 0 refused.\n', stderr: '' });
});

test('skill-check names file, line and remedy of a refused skill', () => {
  write('bad/tea/SKILL.md', '---\nname: tea\n---\n');
  const { status, stdout } = check('bad');
  expect(status).toBe(1);
  expect(stdout).toContain('bad/tea\n  SKILL.md:1  error  description-missing: ');
  expect(stdout).toContain('1 skill checked, 1 refused.');
});

test('skill-check annotates lines for GitHub Actions', () => {
  write('noted/tea/SKILL.md', `${tea}See [more](more.md).\n`);
  expect(check('--format', 'github', 'noted').stdout).toMatch(
    /^::warning file=noted\/tea\/SKILL\.md,line=7,title=file-missing::"more\.md" is not in the folder\. /,
  );
});

test('skill-check --fix writes the fixed file, and keeps the instructions', () => {
  write(
    'fixed/tea/SKILL.md',
    '---\r\nname: Tea Pot\r\ndescription: Brews: tea\r\n---\r\nWarm the pot.\r\n',
  );
  expect(check('--fix', 'fixed/tea/SKILL.md').status).toBe(0);
  const text = readFileSync(join(project, 'fixed/tea/SKILL.md'), 'utf8');
  expect(text).toContain('name: tea\n');
  expect(text).toContain('Warm the pot.\n');
  expect(JSON.parse(check('--format', 'json', 'fixed').stdout)).toMatchObject([
    { name: 'tea', passes: true, isValid: true, diagnostics: [] },
  ]);
});

test('skill-check --strict refuses what the reference library refuses', () => {
  write('strict/tea/SKILL.md', tea.replace('---\n\n', 'metadata: {a: b}\n---\n\n'));
  expect(check('strict').status).toBe(0);
  expect(check('--strict', 'strict')).toMatchObject({ status: 1 });
});

test.each([
  [['nowhere'], 'nowhere: there is no such file or folder.'],
  [['node_modules'], 'node_modules: there is no SKILL.md.'],
  [['--format', 'xml', 'good'], 'There is no format "xml".'],
  [['--unknown', 'good'], "Unknown option '--unknown'."],
  [[], 'Name a skill or a folder with skills.'],
])('skill-check %j says what is wrong', (args, message) => {
  const { status, stderr } = check(...args);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test('skill-check refuses a skill with too many files instead of reading them all', () => {
  write('many/tea/SKILL.md', tea);
  for (let at = 0; at < 2001; at += 1) {
    write(`many/tea/data/${at}.txt`, '');
  }
  expect(check('many')).toMatchObject({ status: 2, stderr: expect.stringContaining('2000 files') });
});
