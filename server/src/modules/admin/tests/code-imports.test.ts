import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import { archiveReportSchema } from '@knowhow/shared/skills/skill-archives';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTextZip } from '../../../testing/foreign-skills.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { rawZip } from '../../../testing/raw-zip.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { defaultFiles, startTestServer } from '../../../testing/start-test-server.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

const outside = (
  [
    ['bash', "import { run } from '../../lib/run.mjs';", '../../lib/run.mjs'],
    ['glob', 'import run from "../../../glob.mjs"', '../../../glob.mjs'],
    ['read', "import * as fs from '../../read-lib/index.js';", '../../read-lib/index.js'],
    ['bash', "import '../../polyfill.js';", '../../polyfill.js'],
    ['bash', "export { run } from '../../run.mjs';", '../../run.mjs'],
    ['bash', "export * from '../../run.mjs';", '../../run.mjs'],
    ['bash', "const run = await import('../../run.mjs');", '../../run.mjs'],
    ['bash', 'const run = await import(\n  /* later */ `../../run.mjs`,\n);', '../../run.mjs'],
    ['bash', "const run = require('../../run');", '../../run'],
    ['bash', "const place = require.resolve('../../run');", '../../run'],
    ['bash', "const place = import.meta.resolve('../../run.mjs');", '../../run.mjs'],
    ['bash', "const all = require('../../../..');", '../../../..'],
    ['bash', "import {\n  one,\n  two as three,\n} from '../../run.mjs';", '../../run.mjs'],
    ['bash', "import run from'../../run.mjs';", '../../run.mjs'],
    ['bash', "import run from './../../run.mjs';", './../../run.mjs'],
    ['bash', "import run from '../src/../../run.mjs';", '../src/../../run.mjs'],
    ['bash', "import run from './%2e%2e/../run.mjs';", './%2e%2e/../run.mjs'],
    ['bash', "import run from '../../run.mjs?v=2';", '../../run.mjs?v=2'],
    ['bash', "import run from '/usr/lib/achilles/run.mjs';", '/usr/lib/achilles/run.mjs'],
    ['bash', "import run from 'file:///opt/run.mjs';", 'file:///opt/run.mjs'],
    ['bash', String.raw`const run = require('C:\\lib\\run.js');`, 'C:\\lib\\run.js'],
    ['bash', String.raw`const run = require('\x2e./../run.js');`, '../../run.js'],
    ['bash', "const quote = /['\"`]/;\nimport run from '../../run.mjs';", '../../run.mjs'],
    ['bash', "const it = 4 / 2; import run from '../../run.mjs'; // it's", '../../run.mjs'],
  ] as const
).map(([kind, code, module], at) => [`${kind}-${at}`, code, module] as const);

const inside = [
  "import fs from 'node:fs';",
  "import path from 'path';",
  "import glob from 'fast-glob';",
  "import glob from '@scope/fast-glob/lib/index.js';",
  "import own from '#own';",
  "import help from './help.mjs';",
  "import help from './help';",
  "import help from '../src/help.mjs';",
  "import data from '../data.json' with { type: 'json' };",
  "const all = require('..');",
  "import help from './lib/index.mjs';",
  "const help = require('./lib');",
  "// import run from '../../run.mjs';",
  "/* require('../../run.mjs') */",
  'const text = "import run from \'../../run.mjs\'";',
  "const text = `\nimport run from '../../run.mjs';\n`;",
  "const all = Array.from('../../run.mjs');",
  "const file = join('../../run.mjs');",
  'const run = await import(`../../${name}.mjs`);',
].map((code, at) => [`inside-${at}`, code] as const);

const action = 'export const action = () => 1;';
const entry = 'assets/original/src/index.mjs';
const skill = (name: string, code: string, more: Record<string, string> = {}) => ({
  [`${name}/cskill.md`]: `# ${name}\n\nRuns ${name}.\n`,
  [`${name}/src/index.mjs`]: `${code}\n${action}\n`,
  ...more,
});
const helpers = (name: string) => ({
  [`${name}/src/help.mjs`]: 'export default 1;\n',
  [`${name}/src/lib/index.mjs`]: 'export default 1;\n',
  [`${name}/data.json`]: '{}\n',
});
const files = Object.assign(
  skill('missing', "import './help.mjs';"),
  skill('several', "import './help.cjs';\nimport '../../one.mjs';", {
    'several/src/help.cjs': "require('../../two');\n",
  }),
  skill('long', `import '../../${'a'.repeat(300_000)}';\nimport './${'b'.repeat(300_000)}';`),
  skill('many', Array.from({ length: 1000 }, (_, at) => `import '../../${at}.mjs';`).join('\n')),
  ...outside.map(([name, code]) => skill(name, code)),
  ...inside.map(([name, code]) => skill(name, code, helpers(name))),
);

type Found = [file: string | undefined, text: string, module: unknown];

/** By skill name: the dry run's findings, and its page's findings. */
const inDryRun = new Map<string, Found[]>();
let onPage: (name: string) => Promise<Found[]>;

const modulesOf = ({ diagnostics }: { diagnostics: readonly Diagnostic[] }): Found[] =>
  diagnostics
    .filter(({ code }) => code === 'module-outside')
    .map(({ file, text, values }) => [file, text ?? 'module-outside', values?.module]);

beforeAll(async () => {
  const server = await startTestServer();
  const admin = await signInAdmin(server);
  const zip = createTextZip(files);
  const dryRun = postArchive(admin, 'validate', zip, 'application/zip');
  for (const report of (await parseAnswer(archiveReportSchema, dryRun)).skills) {
    inDryRun.set(report.name, modulesOf(report));
  }
  expect((await postArchive(admin, 'import', zip, 'application/zip')).ok).toBe(true);
  onPage = async (name) =>
    modulesOf(await parseAnswer(adminSkillDetailSchema, admin(`/api/admin/skills/${name}`)));
  return server.close;
  // It installs each skill of the tables.
}, 60_000);

async function expectReported(name: string, expected: Found[]): Promise<void> {
  expect(inDryRun.get(name)).toEqual(expected);
  expect(await onPage(name)).toEqual(expected);
}

describe('a skill with code', () => {
  test.each(outside)('named %s that says %s is reported at its import', (name, _, module) =>
    expectReported(name, [[entry, 'module-outside', module]]),
  );

  test.each(inside)('named %s that says %s is not reported', (name) => expectReported(name, []));

  test('is reported for a missing module in its folder', () =>
    expectReported('missing', [[entry, 'module-missing', './help.mjs']]));

  test('is reported with the beginning of a long path', () =>
    expectReported('long', [
      [entry, 'module-outside', `../../${'a'.repeat(294)}…`],
      [entry, 'module-missing', `./${'b'.repeat(298)}…`],
    ]));

  test('is reported for the first 20 of 1,000 modules', () =>
    expectReported(
      'many',
      Array.from({ length: 20 }, (_, at) => [entry, 'module-outside', `../../${at}.mjs`]),
    ));

  test('is reported for each file with imports, not only entry points', () =>
    expectReported('several', [
      ['assets/original/src/help.cjs', 'module-outside', '../../two'],
      [entry, 'module-outside', '../../one.mjs'],
    ]));
});

describe('an import through a link', () => {
  const code = "import './help.mjs';\nimport './lib/run.mjs';\n";

  test('to a file of an archive is reported for what the file cannot reach from there', async () => {
    const server = await startTestServer();
    const admin = await signInAdmin(server);
    const zip = rawZip([
      { name: 'linked/SKILL.md', content: skillFile('linked', 'Runs.') },
      { name: 'linked/scripts/run.mjs', content: "import './help.mjs';\n" },
      { name: 'linked/scripts/help.mjs', content: '../shared/help.mjs', mode: 0o120777 },
      { name: 'linked/shared/help.mjs', content: "import './other.mjs';\n" },
      { name: 'linked/shared/other.mjs', content: 'export default 1;\n' },
    ]);
    const dryRun = postArchive(admin, 'validate', zip, 'application/zip');
    const [report] = (await parseAnswer(archiveReportSchema, dryRun)).skills;
    expect(report && modulesOf(report)).toEqual([
      ['scripts/help.mjs', 'module-missing', './other.mjs'],
    ]);
    await server.close();
  });

  test('that leads outside the folder is reported, and one that leads inside is not', async () => {
    const folder = await temporaryFolder();
    const skills = join(folder, 'contents/skills');
    await writeFiles(join(folder, 'contents'), defaultFiles);
    await writeFiles(folder, {
      'contents/skills/inside/SKILL.md': skillFile('inside', 'Runs.'),
      'contents/skills/inside/scripts/run.mjs': code,
      'contents/skills/inside/code/run.mjs': 'export default 1;\n',
      'contents/skills/outside/SKILL.md': skillFile('outside', 'Runs.'),
      'contents/skills/outside/scripts/run.mjs': code,
      'lib/run.mjs': 'export default 1;\n',
    });
    for (const [name, target] of [
      ['inside', '../code'],
      ['outside', join(folder, 'lib')],
    ] as const) {
      const scripts = join(skills, name, 'scripts');
      await mkdir(scripts, { recursive: true });
      await symlink(join(target, 'run.mjs'), join(scripts, 'help.mjs'));
      await symlink(target, join(scripts, 'lib'));
    }
    const server = await startTestServer({ folder });
    const admin = await signInAdmin(server);
    const page = async (name: string) =>
      modulesOf(await parseAnswer(adminSkillDetailSchema, admin(`/api/admin/skills/${name}`)));
    expect(await page('inside')).toEqual([]);
    expect(await page('outside')).toEqual([
      ['scripts/run.mjs', 'module-missing', './help.mjs'],
      ['scripts/run.mjs', 'module-missing', './lib/run.mjs'],
    ]);
    await server.close();
  });
});
