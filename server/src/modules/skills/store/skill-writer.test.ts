import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackedFile } from '@knowhow/skill-format';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalCluster } from '../../../platform/cluster/local-cluster.ts';
import { toWriteProblem } from '../../../platform/lib/write-problem.ts';
import { skillFile, toSkillLocation } from '../../../testing/skill-folder.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';
import { folderSource } from './folder-source.ts';
import { readContent } from './skill-content.ts';
import { openSkillStore } from './skill-store.ts';
import { createSkillWriter } from './skill-writer.ts';

const file = (path: string, text: string, executable = false): PackedFile => ({
  path,
  bytes: Buffer.from(text),
  executable,
});

async function newWriter() {
  const directory = await temporaryFolder();
  return {
    directory,
    writer: createSkillWriter({ cluster: createLocalCluster(), directory: () => directory }),
  };
}

/** Every file with its text; executable ones are marked with a star. */
async function contentOf(directory: string): Promise<Record<string, string>> {
  const files = await readContent(toSkillLocation(directory));
  return Object.fromEntries(
    files.map(({ path, bytes, executable }) => [
      `${path}${executable ? '*' : ''}`,
      Buffer.from(bytes).toString(),
    ]),
  );
}

test('installs a skill with folders and executable files into a missing folder', async () => {
  const parent = await temporaryFolder();
  const directory = join(parent, 'contents/skills');
  const writer = createSkillWriter({ cluster: createLocalCluster(), directory: () => directory });
  await writer.install('pdf', [
    file('SKILL.md', 'one'),
    file('scripts/deep/run.sh', 'echo', true),
    file('empty', ''),
  ]);
  expect(await contentOf(join(directory, 'pdf'))).toEqual({
    'SKILL.md': 'one',
    'scripts/deep/run.sh*': 'echo',
    empty: '',
  });
  expect(await readdir(directory)).toEqual(['pdf']);
});

test('replaces all files of a skill and no others', async () => {
  const { directory, writer } = await newWriter();
  await writer.install('office/pdf', [file('SKILL.md', 'one'), file('old.md', 'old')]);
  await writer.install('office/word', [file('SKILL.md', 'word')]);
  await writer.install('office/pdf', [file('SKILL.md', 'two'), file('new.md', 'new')]);
  expect(await contentOf(directory)).toEqual({
    'office/pdf/SKILL.md': 'two',
    'office/pdf/new.md': 'new',
    'office/word/SKILL.md': 'word',
  });
});

test('keeps the old skill without leftovers if the new one cannot be written completely', async () => {
  const { directory, writer } = await newWriter();
  await writer.install('pdf', [file('SKILL.md', 'one')]);
  const twice = [file('SKILL.md', 'two'), file('a', 'file'), file('a/b', 'below it')];
  await expect(writer.install('pdf', twice)).rejects.toMatchObject({
    code: 'invalid-request',
    message: expect.stringContaining('"a"'),
  });
  expect(await contentOf(directory)).toEqual({ 'pdf/SKILL.md': 'one' });
  expect(await readdir(directory)).toEqual(['pdf']);
});

test('deletes a skill and reports a missing one', async () => {
  const { directory, writer } = await newWriter();
  await writer.install('pdf', [file('SKILL.md', 'one')]);
  await writer.remove('pdf');
  expect(await readdir(directory)).toEqual([]);
  await expect(writer.remove('pdf')).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('"pdf"'),
  });
});

test('writes, moves and deletes a file, with the folders it needs or leaves empty', async () => {
  const { directory, writer } = await newWriter();
  await writer.install('pdf', [file('SKILL.md', 'one'), file('run.sh', 'old', true)]);
  await writer.writeFile('pdf', 'run.sh', Buffer.from('new'));
  await writer.writeFile('pdf', 'a/b/c.md', Buffer.from('c'));
  await writer.moveFile('pdf', 'a/b/c.md', 'd/e.md');
  expect(await contentOf(directory)).toEqual({
    'pdf/SKILL.md': 'one',
    'pdf/run.sh*': 'new',
    'pdf/d/e.md': 'c',
  });
  expect(await readdir(join(directory, 'pdf'))).not.toContain('a');
  await writer.removeFile('pdf', 'd/e.md');
  expect((await readdir(join(directory, 'pdf'))).sort()).toEqual(['SKILL.md', 'run.sh']);
  await writer.removeFile('pdf', 'run.sh');
  await writer.removeFile('pdf', 'SKILL.md');
  expect(await readdir(directory)).toEqual(['pdf']);
});

test('reports missing files and does not overwrite files by a move', async () => {
  const { directory, writer } = await newWriter();
  await writer.install('pdf', [file('SKILL.md', 'one'), file('a.md', 'a'), file('b/c.md', 'c')]);
  const bytes = Buffer.from('x');
  await expect(writer.writeFile('word', 'a.md', bytes)).rejects.toMatchObject({
    code: 'not-found',
  });
  await expect(writer.removeFile('pdf', 'x.md')).rejects.toMatchObject({ code: 'not-found' });
  await expect(writer.removeFile('pdf', 'b')).rejects.toMatchObject({ code: 'not-found' });
  await expect(writer.moveFile('pdf', 'x.md', 'y.md')).rejects.toMatchObject({ code: 'not-found' });
  await expect(writer.moveFile('pdf', 'a.md', 'SKILL.md')).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(writer.writeFile('pdf', 'b', bytes)).rejects.toMatchObject({ code: 'conflict' });
  await expect(writer.writeFile('pdf', 'a.md/x', bytes)).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(writer.install('pdf/a.md', [])).rejects.toMatchObject({ code: 'conflict' });
  expect(await contentOf(directory)).toEqual({
    'pdf/SKILL.md': 'one',
    'pdf/a.md': 'a',
    'pdf/b/c.md': 'c',
  });
});

test.each([
  '../other/SKILL.md',
  '/etc/x',
  'a\\b',
  'nul.md',
  '.git/config',
  'a/.knowhow-staging/x',
  '',
])('writes nothing to %j', async (path) => {
  const { directory, writer } = await newWriter();
  await writer.install('pdf', [file('SKILL.md', 'one')]);
  const refused = { code: 'invalid-request', issues: [{ path, code: expect.any(String) }] };
  const bytes = Buffer.from('x');
  await expect(writer.install('pdf', [file(path, 'x')])).rejects.toMatchObject(refused);
  await expect(writer.install(path, [file('SKILL.md', 'x')])).rejects.toMatchObject(refused);
  await expect(writer.remove(path)).rejects.toMatchObject(refused);
  await expect(writer.writeFile('pdf', path, bytes)).rejects.toMatchObject(refused);
  await expect(writer.writeFile(path, 'x.md', bytes)).rejects.toMatchObject(refused);
  await expect(writer.removeFile('pdf', path)).rejects.toMatchObject(refused);
  await expect(writer.moveFile('pdf', 'SKILL.md', path)).rejects.toMatchObject(refused);
  expect(await contentOf(directory)).toEqual({ 'pdf/SKILL.md': 'one' });
});

test('writes nothing through symbolic links', async () => {
  const { directory, writer } = await newWriter();
  const outside = await temporaryFolder();
  await writeFiles(outside, { 'secret.md': 'secret', 'SKILL.md': 'theirs' });
  await writer.install('pdf', [file('SKILL.md', 'one')]);
  await symlink(outside, join(directory, 'linked'));
  await symlink(outside, join(directory, 'pdf/folder'));
  await symlink(join(outside, 'secret.md'), join(directory, 'pdf/file.md'));
  await symlink(join(outside, 'nothing.md'), join(directory, 'pdf/dangling.md'));
  const refused = { code: 'conflict', message: expect.stringContaining('symbolic link') };
  const bytes = Buffer.from('x');
  await expect(writer.install('linked', [])).rejects.toMatchObject(refused);
  await expect(writer.install('linked/pdf', [])).rejects.toMatchObject(refused);
  await expect(writer.remove('linked')).rejects.toMatchObject(refused);
  for (const path of ['folder/x.md', 'file.md', 'dangling.md']) {
    await expect(writer.writeFile('pdf', path, bytes)).rejects.toMatchObject(refused);
    await expect(writer.removeFile('pdf', path)).rejects.toMatchObject(refused);
    await expect(writer.moveFile('pdf', 'SKILL.md', path)).rejects.toMatchObject(refused);
  }
  expect(await contentOf(outside)).toEqual({ 'secret.md': 'secret', 'SKILL.md': 'theirs' });
});

test('accepts a link as the skills folder but not as the staging folder', async () => {
  const real = await temporaryFolder();
  const linked = join(await temporaryFolder(), 'skills');
  await symlink(real, linked);
  const writer = createSkillWriter({ cluster: createLocalCluster(), directory: () => linked });
  await writer.install('pdf', [file('SKILL.md', 'one')]);
  expect(await contentOf(real)).toEqual({ 'pdf/SKILL.md': 'one' });

  const outside = await temporaryFolder();
  await writeFiles(outside, { 'kept.md': 'kept' });
  await symlink(outside, join(real, '.knowhow-staging'));
  await expect(writer.remove('pdf')).rejects.toMatchObject({ code: 'conflict' });
  await writer.recover();
  await writer.remove('pdf');
  expect(await contentOf(outside)).toEqual({ 'kept.md': 'kept' });
});

test('reports an unwritable folder and what to do', async () => {
  const parent = await temporaryFolder();
  await writeFile(join(parent, 'file'), '');
  const writer = createSkillWriter({
    cluster: createLocalCluster(),
    directory: () => join(parent, 'file/skills'),
  });
  await expect(writer.install('pdf', [file('SKILL.md', 'one')])).rejects.toMatchObject({
    code: 'not-writable',
    status: 503,
    message: expect.stringMatching(/folder of local skills.*is a file/),
  });
});

test('explains system errors and what to do', () => {
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
  expect(toWriteProblem(full, 'The disk')).toMatchObject({
    code: 'not-writable',
    message:
      'The disk cannot be written: there is no space left. Free some space on that disk, then try again.',
    cause: full,
  });
  expect(toWriteProblem(Object.assign(new Error(), { code: 'EIO' }), 'It')).toMatchObject({
    message: expect.stringContaining('EIO'),
  });
  const mistake = new TypeError('a mistake of ours');
  expect(toWriteProblem(mistake, 'It')).toBe(mistake);
});

test('restores the old skill after a crash before the new one is in place', async () => {
  const { directory, writer } = await newWriter();
  await writeFiles(join(directory, '.knowhow-staging'), {
    'one/target': 'office/pdf',
    'one/old/SKILL.md': 'old',
    'one/new/SKILL.md': 'new',
  });
  await writer.recover();
  expect(await contentOf(join(directory, 'office/pdf'))).toEqual({ 'SKILL.md': 'old' });
  expect(await readdir(directory)).toEqual(['office']);
});

test('keeps the current skill without leftovers after a crash at any other time', async () => {
  const { directory, writer } = await newWriter();
  await writer.install('pdf', [file('SKILL.md', 'new')]);
  await writeFiles(join(directory, '.knowhow-staging'), {
    'replaced/target': 'pdf',
    'replaced/old/SKILL.md': 'old',
    'begun/new/SKILL.md': 'half',
    'removed/removed/SKILL.md': 'gone',
    'written/file': 'half',
    'astray/target': '../../outside',
    'astray/old/SKILL.md': 'x',
  });
  await mkdir(join(directory, '.knowhow-staging/empty'));
  await writer.recover();
  await writer.recover();
  expect(await contentOf(directory)).toEqual({ 'pdf/SKILL.md': 'new' });
  expect(await readdir(directory)).toEqual(['pdf']);
});

test('never treats staged files as a skill', async () => {
  const { directory, writer } = await newWriter();
  await writer.install('pdf', [file('SKILL.md', skillFile('pdf', 'Reads PDF.'))]);
  await writeFiles(join(directory, '.knowhow-staging'), {
    'one/new/SKILL.md': skillFile('staged', 'Half of it.'),
  });
  const store = openSkillStore([folderSource({ kind: 'local', directory, recursive: true })]);
  onTestFinished(() => store.close());
  await store.scanned;
  expect([...store.snapshot.skills.keys()]).toEqual(['pdf']);
});

test('runs a read and the following write exclusively', async () => {
  const { directory, writer } = await newWriter();
  await writer.install('pdf', [file('SKILL.md', '')]);
  const append = (letter: string) =>
    writer.exclusive(async () => {
      const { 'pdf/SKILL.md': text } = await contentOf(directory);
      await writer.writeFile('pdf', 'SKILL.md', Buffer.from(`${text}${letter}`));
    });
  await Promise.all([...'abcdefgh'].map(append));
  expect(await contentOf(directory)).toEqual({ 'pdf/SKILL.md': 'abcdefgh' });
});

test('serializes concurrent writes inside an exclusive run', async () => {
  const { directory, writer } = await newWriter();
  const names = ['a', 'b', 'c'];
  await writer.exclusive(() =>
    Promise.all(names.map((name) => writer.install(name, [file('SKILL.md', name)]))),
  );
  expect((await readdir(directory)).sort()).toEqual(names);
});

test('continues after a failed write', async () => {
  const { directory, writer } = await newWriter();
  const results = await Promise.allSettled([
    writer.remove('nothing'),
    writer.install('pdf', [file('SKILL.md', 'one')]),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect((await stat(join(directory, 'pdf/SKILL.md'))).size).toBe(3);
});
