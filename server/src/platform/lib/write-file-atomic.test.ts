import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../testing/write-files.ts';
import { removeTemporaries, writeFileAtomic } from './write-file-atomic.ts';

test('creates a file with its directories, and replaces it', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'a/b/file');
  await writeFileAtomic(path, 'one', 0o600);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFileAtomic(path, Buffer.from('two'));
  expect(await readFile(path, 'utf8')).toBe('two');
  expect(await readdir(join(folder, 'a/b'))).toEqual(['file']);
});

test('leaves the old content and no temporary file when a write fails', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'taken/by-a-folder'), { recursive: true });
  await expect(writeFileAtomic(join(folder, 'taken'), 'x')).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['taken']);
});

test('removes only temporary files left by a killed process', async () => {
  const folder = await temporaryFolder();
  const temporary = 'chat.json.0b8f1c9e-2f3d-4c1a-9a57-0d4b7a5e6c21.tmp';
  await writeFiles(folder, { 'chat.json': '{}', [temporary]: '{', 'notes.tmp': 'kept' });
  await removeTemporaries(folder);
  await removeTemporaries(join(folder, 'missing'));
  expect((await readdir(folder)).sort()).toEqual(['chat.json', 'notes.tmp']);
});
