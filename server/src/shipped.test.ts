import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectDirectory } from './project.ts';
import { bundledScript } from './testing/bundled-script.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

const run = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowhow-shipped-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the list of what is shipped names it all, and no tool', async () => {
  const file = join(folder, 'sbom.json');
  await run(process.execPath, [join(projectDirectory, 'server/bin/sbom.mjs'), file]);
  const { bomFormat, metadata, components } = JSON.parse(await readFile(file, 'utf8'));
  const names = components.map(({ name }: { name: string }) => name);
  expect(bomFormat).toBe('CycloneDX');
  expect(metadata.component.name).toBe('knowhow');
  const shipped = ['express', 'libsql', 'zod', 'kysely', 'openai', 'react', '@mantine/core', 'qs'];
  expect(names).toEqual(expect.arrayContaining(shipped));
  const tools = ['vite', 'vitest', 'typescript', 'knip', '@playwright/test', 'fast-check', 'jsdom'];
  expect(names.filter((name: string) => tools.includes(name))).toEqual([]);
});

test('the image has the command, the default skills, the licence, no maps, and one libsql, which opens a database', async () => {
  const project = await temporaryFolder();
  const bundled = join(await bundledScript('cli'), '../../..');
  await cp(bundled, project, { recursive: true, verbatimSymlinks: true });
  await writeFiles(project, {
    LICENSE: 'yours',
    'contents/skills/new-one/SKILL.md': 'New.',
    'server/package.json': { type: 'module' },
    'server/dist/cli.js.map': {},
    'client/dist/index.html': '<html>',
    'client/dist/.built-from': 'x',
  });
  const layOut = join(projectDirectory, 'server/bin/lay-out-image.mjs');
  await run(process.execPath, [layOut, folder, project]);
  const paths = await readdir(folder, { recursive: true });
  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'client/dist/index.html',
      'builtin/skills/new-one/SKILL.md',
    ]),
  );
  expect(paths.filter((path) => /dist\/.*(\.map|\.built-from)$/.test(path))).toEqual([]);
  expect(paths.filter((path) => path.endsWith('.node'))).toHaveLength(1);
  // As the image links it to a folder of the path.
  const link = join(folder, 'knowhow');
  await symlink(join(folder, 'server/bin/knowhow.mjs'), link);
  expect((await run(link, ['--help'])).stdout).toContain('Usage: knowhow COMMAND');
  const env = { SCRIPT_RUNNER_TOKEN: 'short' };
  await expect(run(process.execPath, [link, 'runner'], { env })).rejects.toMatchObject({
    stderr: 'SCRIPT_RUNNER_TOKEN is wrong: it takes at least 16 characters.\n',
  });
  const script = "new (require('libsql'))(':memory:').exec('select 1'); console.log('opened')";
  const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder });
  expect(stdout).toBe('opened\n');
}, 60_000);
