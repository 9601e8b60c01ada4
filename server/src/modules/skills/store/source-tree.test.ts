import { renameSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { skillFile } from '../../../testing/skill-folder.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';
import { folderSource } from './folder-source.ts';
import { createFolderWatch } from './folder-watch.ts';
import type { KnownFolder } from './known-folder.ts';
import { defaultScanLimits } from './scan-limits.ts';
import { openSourceTree } from './source-tree.ts';

let root: string;

beforeEach(async () => {
  root = await temporaryFolder();
  await writeFiles(root, { 'a/SKILL.md': skillFile('a', 'Old.') });
});

/** A tree of the folder; `beforeWatch` is called just before a folder is watched. */
function openTree(beforeWatch: (folder: KnownFolder) => void = () => undefined) {
  const source = folderSource({ kind: 'local', directory: root, recursive: false });
  const tree = openSourceTree(source, defaultScanLimits);
  onTestFinished(tree.close);
  let notices = 0;
  const watch = createFolderWatch<KnownFolder>(
    () => {
      notices += 1;
    },
    () => undefined,
  );
  tree.watchBy({
    ...watch,
    start: (folder) => {
      beforeWatch(folder);
      watch.start(folder);
    },
  });
  const descriptions = () =>
    tree.found().map((found) => ('description' in found ? found.description : undefined));
  return { tree, descriptions, hasNotices: () => notices > 0 };
}

test('sees changes in a new folder before its watch starts', async () => {
  const { tree, descriptions } = openTree(({ name, path }) => {
    if (name === 'a') {
      writeFileSync(join(path, 'SKILL.md'), skillFile('a', 'New.'));
    }
  });
  await tree.check();
  expect(descriptions()).toEqual(['New.']);
});

test('sees changes in a replaced folder before its watch starts', async () => {
  let other = '';
  const { tree, descriptions } = openTree(({ name, path }) => {
    if (name === 'a' && other) {
      writeFileSync(join(path, 'SKILL.md'), skillFile('a', 'Last.'));
    }
  });
  await tree.check();
  other = await temporaryFolder();
  await writeFiles(other, { 'a/SKILL.md': skillFile('a', 'Other.') });
  await rename(join(root, 'a'), join(other, 'was'));
  renameSync(join(other, 'a'), join(root, 'a'));
  await tree.check();
  expect(descriptions()).toEqual(['Last.']);
});

test('keeps watching other folders if one is deleted before its watch starts', async () => {
  await writeFiles(root, { 'b/SKILL.md': skillFile('b', 'Old.') });
  const { tree, descriptions, hasNotices } = openTree(({ name, path }) => {
    if (name === 'a') {
      renameSync(path, join(root, '..gone'));
    }
  });
  await tree.check();
  await rm(join(root, '..gone'), { recursive: true });
  await tree.update();
  await writeFiles(root, { 'b/SKILL.md': skillFile('b', 'New.') });
  await waitFor(hasNotices);
  await waitFor(async () => {
    await tree.update();
    return descriptions().join() === 'New.';
  });
});
