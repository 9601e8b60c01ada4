import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { addToCache } from '../../../platform/lib/add-to-cache.ts';
import type { SkillLocation } from './skill-source.ts';

/** A file of a skill with its digest. */
export interface DigestedFile {
  /** Relative to the skill's folder, with forward slashes. */
  path: string;
  /** In bytes. */
  size: number;
  executable: boolean;
  /** SHA-256 in hex. */
  digest: string;
  /** Its bytes as they are now; undefined if it has been deleted. */
  read(): Promise<Uint8Array | undefined>;
}

/** Cached digests by file version; the oldest are evicted. */
export type KnownDigests = Map<string, string>;

/** A larger skill is not published to other programs: hosts of the MCP skills extension need not support it. */
export const publishLimits = { files: 512, bytes: 16 * 1024 * 1024 };

const maxCached = 20_000;

/**
 * All files of a skill by path, including `SKILL.md`, each version hashed once. Undefined above the
 * limits. Throws a problem if the folder has been deleted.
 *
 * @param limits maximum number of files, and of bytes in total
 * @param known cache shared by all calls
 */
export async function digestFiles(
  { source, path: folder }: SkillLocation,
  limits: { files: number; bytes: number },
  known: KnownDigests,
): Promise<DigestedFile[] | undefined> {
  const { files } = await source.files(folder);
  if (
    files.length > limits.files ||
    files.reduce((sum, { size }) => sum + size, 0) > limits.bytes
  ) {
    return undefined;
  }
  const digested: DigestedFile[] = [];
  for (const { path, size, executable, version, digest, read } of files) {
    const found = known.get(version) ?? (await digest());
    if (found !== undefined) {
      addToCache(known, { key: version, value: found, max: maxCached });
      digested.push({ path, size, executable, digest: found, read: () => read() });
    }
  }
  await yieldToEventLoop();
  return digested.sort((one, other) => (one.path < other.path ? -1 : 1));
}
