import { chmod, mkdir, rename, rm, symlink, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { toSkillLocation } from '../../../testing/skill-folder.ts';
import { type Files, temporaryFolder, writeFiles } from '../../../testing/write-files.ts';
import { defaultSizeLimits } from '../archives/unpack-limits.ts';
import { describeContent, readContent } from './skill-content.ts';

async function folderWith(files: Files): Promise<string> {
  const folder = await temporaryFolder();
  await writeFiles(folder, files);
  return folder;
}

const pathsOf = async (folder: string) =>
  (await readContent(toSkillLocation(folder))).map(({ path }) => path);
const checksum = async (folder: string) =>
  (await describeContent(toSkillLocation(folder))).checksum;

test('reads every file with its bytes and executable bit, ordered by path', async () => {
  const folder = await folderWith({
    'SKILL.md': 'text',
    'b/c.bin': Buffer.from([0, 255]),
    'a.sh': '',
  });
  await chmod(join(folder, 'a.sh'), 0o755);
  expect(await readContent(toSkillLocation(folder))).toEqual([
    { path: 'SKILL.md', bytes: Buffer.from('text'), executable: false },
    { path: 'a.sh', bytes: Buffer.from(''), executable: true },
    { path: 'b/c.bin', bytes: Buffer.from([0, 255]), executable: false },
  ]);
});

test('follows links inside the folder, and skips circular links and those that lead out', async () => {
  const outside = await folderWith({ 'secret.md': 'secret' });
  const folder = await folderWith({ 'SKILL.md': 'text', 'real/a.md': 'a', '.git/config': 'x' });
  await symlink('real', join(folder, 'linked'));
  await symlink('../SKILL.md', join(folder, 'real/again.md'));
  await symlink('..', join(folder, 'real/circle'));
  await symlink(join(outside, 'secret.md'), join(folder, 'secret.md'));
  await symlink(outside, join(folder, 'outside'));
  await symlink('nowhere', join(folder, 'dangling'));
  await symlink('.git', join(folder, 'git'));
  expect(await pathsOf(folder)).toEqual([
    'SKILL.md',
    'linked/a.md',
    'linked/again.md',
    'real/a.md',
    'real/again.md',
  ]);
});

test('skips folders that are never part of a skill', async () => {
  const folder = await folderWith({
    'SKILL.md': 'text',
    'node_modules/x/index.js': 'x',
    'scripts/__pycache__/x.pyc': 'x',
    '.knowhow-staging/x/new/SKILL.md': 'x',
    '.env.example': 'shown',
  });
  expect(await pathsOf(folder)).toEqual(['.env.example', 'SKILL.md']);
});

test('derives the checksum from bytes, paths and executable bits', async () => {
  const folder = await folderWith({ 'SKILL.md': 'text', 'a/b.md': 'b' });
  const before = await checksum(folder);
  const seen = new Set([before]);
  const isNew = async () => {
    const now = await checksum(folder);
    const fresh = !seen.has(now);
    seen.add(now);
    return fresh;
  };
  await writeFiles(folder, { 'a/b.md': 'B' });
  expect(await isNew()).toBe(true);
  await rename(join(folder, 'a/b.md'), join(folder, 'a/c.md'));
  expect(await isNew()).toBe(true);
  await chmod(join(folder, 'a/c.md'), 0o755);
  expect(await isNew()).toBe(true);
  await writeFiles(folder, { 'a/d.md': '' });
  expect(await isNew()).toBe(true);
  await rm(join(folder, 'a'), { recursive: true });
  expect(await isNew()).toBe(true);
  await writeFiles(folder, { 'a/b.md': 'b' });
  expect(await checksum(folder)).toBe(before);
});

test('computes the same checksum for a folder and for its files in memory', async () => {
  const folder = await folderWith({ 'SKILL.md': 'text', 'a.sh': 'a', 'large.bin': '' });
  await chmod(join(folder, 'a.sh'), 0o700);
  await truncate(join(folder, 'large.bin'), 3 * 1024 * 1024);
  const reversed = (await readContent(toSkillLocation(folder))).reverse();
  expect(await getFilesChecksum(reversed)).toBe(await checksum(folder));
});

test('describes a folder by number of files, size and last change', async () => {
  const folder = await folderWith({ 'SKILL.md': 'text', 'a/b.md': '12345' });
  const early = new Date('2020-01-01T00:00:00Z');
  const late = new Date('2021-02-03T04:05:06Z');
  for (const [path, time] of [
    ['SKILL.md', early],
    ['a/b.md', late],
    ['a', early],
    ['.', early],
  ] as const) {
    await utimes(join(folder, path), time, time);
  }
  expect(await describeContent(toSkillLocation(folder))).toMatchObject({
    files: 2,
    bytes: 9,
    updatedAt: '2021-02-03T04:05:06.000Z',
  });
});

test('describes and stores a folder above the limits, but does not pack it', async () => {
  const many = await folderWith(
    Object.fromEntries(Array.from({ length: 513 }, (_, at) => [`${at}.md`, ''])),
  );
  expect(await describeContent(toSkillLocation(many))).toMatchObject({ files: 513 });
  expect(await readContent(toSkillLocation(many))).toHaveLength(513);
  await expect(readContent(toSkillLocation(many), defaultSizeLimits)).rejects.toMatchObject({
    code: 'too-large',
  });
  const large = await folderWith({ 'SKILL.md': 'text', 'large.bin': '' });
  await truncate(join(large, 'large.bin'), 16 * 1024 * 1024);
  await expect(readContent(toSkillLocation(large), defaultSizeLimits)).rejects.toMatchObject({
    code: 'too-large',
  });
  await truncate(join(large, 'large.bin'), 64 * 1024 * 1024);
  await expect(readContent(toSkillLocation(large))).rejects.toMatchObject({ code: 'too-large' });
});

test('reports a deleted folder', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'x'));
  await rm(folder, { recursive: true });
  await expect(readContent(toSkillLocation(folder))).rejects.toMatchObject({ code: 'not-found' });
  await expect(describeContent(toSkillLocation(folder))).rejects.toMatchObject({
    code: 'not-found',
  });
});
