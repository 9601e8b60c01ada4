import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { resolveInside } from '../../../platform/lib/resolve-inside.ts';
import type { FolderSource } from './folder-skill.ts';
import { createFolderWatch } from './folder-watch.ts';
import { defaultScanLimits, type LeftOut, type ScanLimits } from './scan-limits.ts';
import type { FoundSkill, HeldFile, Look, OpenSkillFile, StoredSkill } from './skill-source.ts';
import type { SkillFolder } from './skill-sources.ts';
import { openSourceTree, type SourceTree } from './source-tree.ts';
import { ignoreMissing, walkFolder } from './walk-folder.ts';
import { watchRoot } from './watch-root.ts';

/** A source with skills in the folders below a folder. Reads nothing before the first look. */
export function folderSource(
  folder: SkillFolder,
  limits: ScanLimits = defaultScanLimits,
): FolderSource {
  const { kind, recursive } = folder;
  const directory = resolve(folder.directory);
  let endWatch: (() => void) | undefined;
  const source: FolderSource = {
    kind,
    directory,
    recursive,
    writable: kind === 'local',
    location: directory,
    key: JSON.stringify([kind, directory, recursive]),
    list: () => tree.found(),
    listPaths: () => listPaths(tree),
    status: () => ({
      isThere: tree.isThere(),
      hasSkills: tree.hasSkills(),
      leftOut: tree.leftOut(),
    }),
    isGone: async () => (await readdir(directory).catch(() => [])).length === 0,
    look: (at) => lookAt(tree, directory, at),
    watch: ({ noticed, missed }) => {
      tree.watchBy(createFolderWatch(noticed, missed));
      endWatch = watchRoot(directory, missed);
    },
    read: (skill) => readFile(fileOf(directory, skill)),
    files: (path, most) => walkFolder(join(directory, path), most),
    open: (path, file) => openFolderFile(join(directory, path), file),
    close: () => {
      endWatch?.();
      tree.close();
    },
  };
  const tree = openSourceTree(source, limits);
  return source;
}

function listPaths(tree: SourceTree): ReturnType<FolderSource['listPaths']> {
  return tree.skillFolders().flatMap(({ path, skill }) => {
    return skill ? [{ path: join(path, skill.name), found: skill.found }] : [];
  });
}

function lookAt(tree: SourceTree, directory: string, at: Look) {
  if (at === 'everywhere') {
    return tree.check();
  }
  return at === 'noticed'
    ? tree.update()
    : tree.checkFolders(at.paths.map((path) => join(directory, path)));
}

function fileOf(directory: string, skill: StoredSkill): string {
  return 'file' in skill && typeof skill.file === 'string'
    ? skill.file
    : join(directory, skill.path, 'SKILL.md');
}

/** Undefined if there is no such file inside the folder. */
async function openFolderFile(directory: string, path: string): Promise<OpenSkillFile | undefined> {
  const target = await resolveInside(directory, path);
  const found = target === undefined ? undefined : await ignoreMissing(stat(target));
  if (target === undefined || !found?.isFile()) {
    return undefined;
  }
  return {
    size: found.size,
    read: async (start, length) => {
      const chunks: Buffer[] = [];
      if (length > 0) {
        for await (const chunk of createReadStream(target, { start, end: start + length - 1 })) {
          chunks.push(chunk as Buffer);
        }
      }
      return Buffer.concat(chunks);
    },
    hold: async () => hold(await open(target)),
  };
}

async function hold(handle: FileHandle): Promise<HeldFile> {
  try {
    const { size } = await handle.stat();
    return {
      size,
      head: async (length) => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
        return buffer.subarray(0, bytesRead);
      },
      stream: () => handle.createReadStream({ start: 0, end: size - 1, autoClose: false }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Scans a folder once: its skills ordered by path, each with the path of its `SKILL.md`. */
export async function scanFolder(
  directory: string,
  limits: ScanLimits,
): Promise<{ skills: { path: string; found: FoundSkill }[]; leftOut: LeftOut }> {
  const source = folderSource({ kind: 'local', directory, recursive: false }, limits);
  await source.look('everywhere');
  const skills = source.listPaths();
  const { leftOut } = source.status();
  source.close();
  return { skills, leftOut };
}
