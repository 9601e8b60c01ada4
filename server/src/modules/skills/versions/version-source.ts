import { Readable } from 'node:stream';
import { problem } from '@knowhow/shared/problem';
import type { OpenSkillFile, SkillSource, SourceFile } from '../store/skill-source.ts';
import { findMain } from './category-of.ts';
import type { ManifestFile } from './manifest.ts';

/** Stored files of a version of a skill. */
export interface VersionFiles {
  manifest: readonly ManifestFile[];
  /** In bytes, by digest. */
  sizes: ReadonlyMap<string, number>;
  /** When the version was recorded, in milliseconds. */
  createdAt: number;
}

interface Options {
  /** The kind of stored content: distinguishes sources. */
  location: 'versions' | 'personal';
  /** Files by path; see `getVersionPath`. */
  find: (path: string) => VersionFiles | undefined;
  /** Undefined if the content is not stored. */
  read: (file: ManifestFile) => Promise<Buffer | undefined>;
}

/** The path of a version in its source: the last part is the name of the skill. */
export function getVersionPath(skill: string, number: number): string {
  return `${number}/${skill}`;
}

/** Stored versions as a source of skills. It has no list: apps pin versions, and groups preview them. */
export function createVersionSource({ location, find, read }: Options): SkillSource {
  const filesAt = (path: string): VersionFiles => {
    const files = find(path);
    if (!files) {
      throw problem('not-found', 'This version of the skill is not stored any more.');
    }
    return files;
  };
  const contentOf = async (file: ManifestFile): Promise<Buffer> => {
    const bytes = await read(file);
    if (!bytes) {
      throw problem('not-found', `The content of '${file.path}' is not stored any more.`);
    }
    return bytes;
  };
  return {
    kind: 'local',
    writable: false,
    location,
    key: location,
    list: () => [],
    status: () => ({
      isThere: true,
      hasSkills: true,
      leftOut: { tooDeep: 0, tooMany: 0, closed: [], foreign: [], links: [] },
    }),
    look: async () => [],
    watch: () => undefined,
    read: async ({ path }) => {
      const main = findMain(filesAt(path).manifest);
      return main ? contentOf(main) : new Uint8Array();
    },
    files: async (path) => {
      const files = filesAt(path);
      return {
        files: files.manifest.map((file) => toSourceFile(file, files, contentOf)),
        changedAt: files.createdAt,
      };
    },
    open: async (path, name) => {
      const files = filesAt(path);
      const file = findFile(files, name);
      return file && openStoredFile(files.sizes.get(file.digest) ?? 0, () => contentOf(file));
    },
    close: () => undefined,
  };
}

function findFile({ manifest }: VersionFiles, path: string): ManifestFile | undefined {
  return manifest.find((file) => file.path === path);
}

function toSourceFile(
  file: ManifestFile,
  { sizes }: VersionFiles,
  contentOf: (file: ManifestFile) => Promise<Buffer>,
): SourceFile {
  const { path, digest, executable } = file;
  return {
    path,
    size: sizes.get(digest) ?? 0,
    executable,
    version: `${path}\0${digest}`,
    read: async (max) => (await contentOf(file)).subarray(0, max),
    digest: async () => Buffer.from(digest, 'base64url').toString('hex'),
  };
}

/** Reads the content once, when it is needed. */
function openStoredFile(size: number, content: () => Promise<Buffer>): OpenSkillFile {
  let bytes: Promise<Buffer> | undefined;
  const slice = async (start: number, end: number) => {
    bytes ??= content();
    return (await bytes).subarray(start, end);
  };
  return {
    size,
    read: (start, length) => slice(start, start + length),
    hold: async () => {
      const held = await slice(0, size);
      return {
        size,
        head: async (length) => held.subarray(0, length),
        stream: () => Readable.from([held], { objectMode: false }),
        close: async () => undefined,
      };
    },
  };
}
