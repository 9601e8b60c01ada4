import { createReadStream } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { SkillFile } from '@knowhow/shared/skills';
import { resolveInside } from '../lib/resolve-inside.ts';
import { parseSkill } from './parse-skill.ts';
import type { Skill } from './skill.ts';

/** A skill and the folder it was found in. */
export interface StoredSkill extends Skill {
  readonly directory: string;
  readonly source: 'local';
}

/** All skills at one moment. Immutable: a turn keeps the one it began with. */
export interface SkillSnapshot {
  /** By id; enabled or not. */
  readonly skills: ReadonlyMap<string, StoredSkill>;
  /** Folders whose `SKILL.md` could not be read at all. */
  readonly unreadable: readonly { directory: string; message: string }[];
}

/** One file of a skill, opened. */
export interface OpenSkillFile {
  /** Size in bytes. */
  size: number;
  read(start: number, length: number): Promise<Buffer>;
  stream(): NodeJS.ReadableStream;
}

/** The skills of a folder on disk. Hand routes and tools a `SkillView`, never this. */
export interface SkillStore {
  readonly snapshot: SkillSnapshot;
  readonly folders: string[];
  /** Scans again, reading only what changed. Never throws. */
  reload(): Promise<SkillSnapshot>;
  readBody(skill: StoredSkill): Promise<string>;
  listFiles(skill: StoredSkill): Promise<SkillFile[]>;
  /** Undefined when there is no such file inside the skill's folder. */
  openFile(skill: StoredSkill, path: string): Promise<OpenSkillFile | undefined>;
}

const skipped = new Set(['node_modules', '__pycache__']);
const maxDepth = 6;
const maxListedFiles = 1000;

/** Opens the folder of skills at `directory` and scans it once. */
export async function openSkillStore(directory: string): Promise<SkillStore> {
  const cache: Cache = new Map();
  let snapshot = await scan(directory, cache);
  let scanning: Promise<unknown> = Promise.resolve();
  return {
    get snapshot() {
      return snapshot;
    },
    folders: [directory],
    reload: () => {
      const next = scanning.then(async () => {
        snapshot = await scan(directory, cache);
        return snapshot;
      });
      scanning = next;
      return next;
    },
    readBody: async (skill) =>
      parseSkill(await readFile(join(skill.directory, 'SKILL.md')), basename(skill.directory)).body,
    listFiles: (skill) => listFiles(skill.directory),
    openFile: (skill, path) => openFile(skill.directory, path),
  };
}

/** By path of `SKILL.md`: what it said, and the state of the file that said so. */
type Cache = Map<string, { signature: string; skill: StoredSkill }>;

async function scan(root: string, cache: Cache): Promise<SkillSnapshot> {
  const directories = await findSkillFolders(root, root, 0);
  const skills = new Map<string, StoredSkill>();
  const unreadable: { directory: string; message: string }[] = [];
  const read = await Promise.all(directories.map((directory) => readSkill(directory, cache)));
  for (const [index, skill] of read.entries()) {
    const directory = directories[index] ?? '';
    if (typeof skill === 'string') {
      unreadable.push({ directory, message: skill });
    } else if (!skills.has(skill.id)) {
      skills.set(skill.id, skill);
    }
  }
  const seen = new Set(directories.map((directory) => join(directory, 'SKILL.md')));
  for (const path of cache.keys()) {
    if (!seen.has(path)) {
      cache.delete(path);
    }
  }
  return { skills, unreadable };
}

/** The folders below `folder` that hold a `SKILL.md`, in the order of their paths. */
async function findSkillFolders(root: string, folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.name === 'SKILL.md' && !entry.isDirectory())) {
    return [folder];
  }
  if (depth === maxDepth) {
    return [];
  }
  const below = entries
    .filter(({ name }) => !name.startsWith('.') && !skipped.has(name))
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const found = await Promise.all(
    below.map(async (entry) => {
      const path = join(folder, entry.name);
      const inside = !entry.isSymbolicLink() || (await resolveInside(root, relative(root, path)));
      return inside ? findSkillFolders(root, path, depth + 1) : [];
    }),
  );
  return found.flat();
}

/** The skill of a folder, or why it cannot be read. */
async function readSkill(directory: string, cache: Cache): Promise<StoredSkill | string> {
  const path = join(directory, 'SKILL.md');
  try {
    if ((await resolveInside(directory, 'SKILL.md')) === undefined) {
      return 'SKILL.md is a link that leads out of the folder.';
    }
    const { mtimeMs, size, ino } = await stat(path);
    const signature = `${mtimeMs} ${size} ${ino}`;
    const known = cache.get(path);
    if (known?.signature === signature) {
      return known.skill;
    }
    const { skill } = parseSkill(await readFile(path), basename(directory));
    const stored: StoredSkill = { ...skill, directory, source: 'local' };
    cache.set(path, { signature, skill: stored });
    return stored;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    return `SKILL.md cannot be read (${code}).`;
  }
}

async function listFiles(directory: string): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  await collectFiles(await realpath(directory), '', files);
  return files;
}

async function collectFiles(root: string, folder: string, files: SkillFile[]): Promise<void> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  for (const { name } of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (files.length >= maxListedFiles || name === '.git' || skipped.has(name)) {
      continue;
    }
    const target = await resolveInside(root, path);
    const found = target === undefined ? undefined : await stat(target);
    if (found?.isDirectory() && path.split('/').length <= maxDepth) {
      await collectFiles(root, path, files);
    } else if (found?.isFile() && path !== 'SKILL.md') {
      files.push({ path, size: found.size });
    }
  }
}

async function openFile(directory: string, path: string): Promise<OpenSkillFile | undefined> {
  const target = await resolveInside(directory, path.split(sep).join('/'));
  const found = target === undefined ? undefined : await stat(target);
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
    stream: () => createReadStream(target),
  };
}
