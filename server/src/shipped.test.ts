import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { projectDirectory } from './project.ts';
import { bundledScript } from './testing/bundled-script.ts';
import { fontOf, pdf } from './testing/documents/pdf.ts';
import { startScriptedHttp } from './testing/scripted-http.ts';
import { startProduct } from './testing/start-product.ts';
import { defaultFiles, modelWith } from './testing/start-test-server.ts';
import { takeTurn } from './testing/take-turn.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

const run = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowhow-shipped-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('lists all shipped packages in the SBOM, but no tools', async () => {
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

/** Creates the layout of the image in `folder` from a bundled project. */
async function layOutImage(): Promise<void> {
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
  const script = join(projectDirectory, 'server/bin/lay-out-image.mjs');
  await run(process.execPath, [script, folder, project]);
}

test('builds an image with the command, default skills, licence, no source maps, and one working libsql', async () => {
  await layOutImage();
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
  // Like the image, which links it to a folder in the PATH.
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

test('reads a Chinese PDF without embedded character map in the image', async () => {
  await layOutImage();
  const provider = await startScriptedHttp(() => ({ chunks: ['data: [DONE]\n\n'] }));
  onTestFinished(() => provider.close());
  const installation = await temporaryFolder();
  await writeFiles(join(installation, 'contents'), {
    ...defaultFiles,
    ...modelWith({ url: provider.origin }),
  });
  const product = await startProduct(join(folder, 'server/dist/main.js'), installation);
  const visitor = product.visitor();
  await visitor('/api/auth/me');
  const uploaded = await visitor('/api/files?name=contract.pdf', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: pdf(['<5408540C>'], '', fontOf('UniGB-UCS2-H', 'GB1')),
  });
  const { id } = attachmentSchema.parse(await uploaded.json());
  await takeTurn(visitor, { message: 'Read', attachments: [id] });
  expect(JSON.stringify(provider.requests[0]?.body)).toContain('[Page 1]\\n合同');
}, 60_000);
