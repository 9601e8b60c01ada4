import { chmod, cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { projectDirectory } from './project.ts';
import { bundledScript } from './testing/bundled-script.ts';
import { runChild } from './testing/run-child.ts';
import { skillFile } from './testing/skill-folder.ts';
import { runProduct } from './testing/start-product.ts';
import { defaultFiles } from './testing/start-test-server.ts';
import { waitFor } from './testing/wait-for.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

/** Root may do everything, so tests run as another user. */
const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
/** A start that is not retried: EX_CONFIG. */
const refused = 78;

/** Packages that are not bundled. */
const packages = ['libsql', '@libsql', '@neon-rs', 'detect-libc'].map(
  (name) => `node_modules/${name}`,
);

let server: string;
let command: string;
let folder: string;
let contents: string;

beforeAll(async () => {
  const project = await copyProject(dirname(dirname(dirname(await bundledScript('main')))));
  server = join(project, 'server/dist/main.js');
  command = join(project, 'server/dist/cli.js');
}, 60_000);
beforeEach(async () => {
  folder = await temporaryFolder();
  contents = join(folder, 'contents');
  await writeFiles(contents, defaultFiles);
  await chmod(folder, 0o777);
});

/**
 * Copies everything needed at run time, since the other user may not have access to the checkout.
 */
async function copyProject(bundled: string): Promise<string> {
  const project = await temporaryFolder();
  await cp(join(bundled, 'server'), join(project, 'server'), { recursive: true });
  for (const name of ['package.json', ...packages]) {
    await cp(join(projectDirectory, name), join(project, name), { recursive: true });
  }
  await chmod(project, 0o755);
  return project;
}

const start = (environment = {}) => runProduct(server, folder, environment, user);

/** Runs `knowhow` and returns its exit code and output lines. */
async function run(args: string[], contentsFolder = contents) {
  const env = { CONTENTS_DIR: contentsFolder, DATA_DIR: join(folder, 'data') };
  const child = runChild(command, { args, env, cwd: folder, ...user });
  return { code: await child.ended, lines: child.output.trim().split('\n') };
}

test('reports unreadable contents in one line', async () => {
  await chmod(contents, 0o300);
  const product = start();
  expect(await product.ended).toBe(refused);
  expect(product.output).toMatch(
    /^CONTENTS_DIR is wrong: .+contents cannot be read by the user of the server \(id \d+\)\. .+\n$/,
  );
});

test('warns of contents that are not writable', async () => {
  await chmod(contents, 0o555);
  const product = start();
  await product.says('cannot be written by the user');
  expect(product.output).toMatch(/"level":40,.*contents.* cannot be written by the user/);
});

test('reports an unreadable folder of skills in readiness, log and validation', async () => {
  const closed = join(contents, 'skills/closed');
  await writeFiles(closed, { 'SKILL.md': skillFile('closed', 'It.') });
  await chmod(closed, 0);
  const product = start({ LOG_LEVEL: 'info' });
  await product.says('\nModels: ');
  await product.says(`may not be read: ${closed}. Give the user`);
  const url = /ready at (\S+)/.exec(product.output)?.[1];
  expect(await (await fetch(`${url}/api/ready`)).json()).toMatchObject({
    skills: { foldersLeftOut: 1 },
    faults: 1,
  });
  const { lines } = await run(['validate', 'contents/skills']);
  expect(lines[0]).toContain(`may not be read: ${closed}. Give the user`);
});

test('logs an unreadable configuration file once, and loads it once it is readable', async () => {
  const file = join(contents, 'apps/late.json');
  await writeFiles(contents, { 'apps/late.json': { id: 'late', name: 'Late' } });
  // The watcher ignores unreadable files.
  await chmod(file, user.uid === undefined ? 0 : 0o600);
  const product = start({ LOG_LEVEL: 'info' });
  await product.says('\nModels: ');
  const url = /ready at (\S+)/.exec(product.output)?.[1];
  const apps = async () => (await fetch(`${url}/api/apps`)).text();
  // By then, everything unwatchable has been logged.
  await writeFiles(contents, { 'apps/new.json': { id: 'new', name: 'New' } });
  await waitFor(async () => (await apps()).includes('"new"'));
  expect(product.output.match(/late\.json/g)).toHaveLength(1);
  expect(product.output).toContain('contents/apps/late.json: Cannot be read (EACCES).');
  await chmod(file, 0o644);
  await waitFor(async () => (await apps()).includes('"late"'));
});

test.each([
  ['file', 'apps/chat.json'],
  ['folder', 'skills'],
])('names an unreadable %s in backup and restore', async (kind, path) => {
  const closed = join(contents, path);
  const other = join(folder, 'other');
  await cp(contents, other, { recursive: true });
  expect((await run(['backup', 'a.zip'], other)).code).toBe(0);
  await chmod(closed, 0);
  const line = `The ${kind} ${closed} cannot be read. Give the user that runs the server read access to it and to the folders above it.`;
  expect(await run(['backup', 'b.zip'])).toEqual({ code: 1, lines: [line] });
  const restored = await run(['restore', 'a.zip', '--yes']);
  expect(restored).toEqual({ code: 1, lines: expect.arrayContaining([line]) });
});

test('names an unreadable archive in validation and restore', async () => {
  await writeFiles(folder, { 'a.zip': 'x' });
  await chmod(join(folder, 'a.zip'), 0);
  for (const args of [['validate'], ['restore', '--yes']]) {
    const { code, lines } = await run([...args, 'a.zip']);
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/The file .*a\.zip cannot be read\. Give the user/);
  }
});
