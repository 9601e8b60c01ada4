import { chmod, mkdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { bundledScript } from '../../testing/bundled-script.ts';
import { makeData, runProduct, startProduct } from '../../testing/start-product.ts';
import { defaultFiles } from '../../testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from '../../testing/write-files.ts';

let script: string;
let folder: string;
let database: string;

beforeAll(async () => {
  script = await bundledScript('main');
}, 60_000);
beforeEach(async () => {
  folder = await temporaryFolder();
  database = join(folder, 'data/knowhow.sqlite');
  await writeFiles(join(folder, 'contents'), defaultFiles);
});

async function use(): Promise<void> {
  const product = await startProduct(script, folder);
  product.process.kill('SIGTERM');
  await product.ended;
  await Promise.all(['-wal', '-shm'].map((end) => rm(database + end, { force: true })));
}

test.each<[string, RegExp, () => Promise<void>]>([
  ['is empty', /knowhow\.sqlite is empty, though .* restore a backup/, () => truncate(database, 0)],
  [
    'has lost its end',
    /knowhow\.sqlite has lost its end\. .* restore a backup/,
    async () => truncate(database, Math.floor((await stat(database)).size / 2)),
  ],
  [
    'has lost all but its beginning',
    /knowhow\.sqlite has lost its end/,
    () => truncate(database, 200),
  ],
  ['is a text', /it is damaged\. .* restore a backup/, () => writeFile(database, 'x'.repeat(9000))],
  ['is a short text', /it is damaged\. .* restore a backup/, () => writeFile(database, 'hello\n')],
  [
    'is a folder',
    /knowhow\.sqlite cannot be opened\. Check that it is a regular file/,
    async () => {
      await rm(database);
      await mkdir(database);
    },
  ],
])('reports a database that %s in one line, and creates no new one', async (_how, line, break_) => {
  await makeData(join(folder, 'data'));
  await break_();
  const before = (await stat(database)).size;
  const product = runProduct(script, folder);
  expect(await product.ended).toBe(78);
  expect(product.output).toMatch(line);
  expect(product.output.trim().split('\n')).toHaveLength(1);
  expect((await stat(database)).size).toBe(before);
});

test.skipIf(process.getuid?.() === 0)('reports a read-only database in one line', async () => {
  await makeData(join(folder, 'data'));
  await chmod(database, 0o400);
  const product = runProduct(script, folder);
  expect(await product.ended).toBe(78);
  expect(product.output).toMatch(/knowhow\.sqlite .*not/);
  expect(product.output.trim().split('\n')).toHaveLength(1);
});

test('starts with an empty file that a killed first start left behind', async () => {
  await writeFiles(join(folder, 'data'), {
    'knowhow.sqlite': '',
    'server.lock': '',
    'server.pid': '',
  });
  await use();
  expect((await stat(database)).size).toBeGreaterThan(0);
});

test('creates a new database after the old one was moved away', async () => {
  await use();
  await rm(database);
  await use();
  expect((await stat(database)).size).toBeGreaterThan(0);
});
