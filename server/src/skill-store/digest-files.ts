import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { SkillLocation } from './skill-source.ts';

/** A file of a skill and what it holds. */
export interface DigestedFile {
  /** Relative to the skill's folder, with forward slashes. */
  path: string;
  /** In bytes. */
  size: number;
  /** sha256 in hex. */
  digest: string;
}

/** Digests by the version of a file; the oldest go first. */
export type KnownDigests = Map<string, string>;

const maxKept = 20_000;

/**
 * Every file of a skill by path, `SKILL.md` too, each state of a file hashed once. Undefined where there is
 * more than that. Throws a problem when the folder has gone.
 *
 * @param most files, and bytes of all of them
 * @param known what earlier calls found, which this one goes on from
 */
export async function digestFiles(
  { source, path: folder }: SkillLocation,
  most: { files: number; bytes: number },
  known: KnownDigests,
): Promise<DigestedFile[] | undefined> {
  const { files } = await source.files(folder);
  if (files.length > most.files || files.reduce((sum, { size }) => sum + size, 0) > most.bytes) {
    return undefined;
  }
  const digested: DigestedFile[] = [];
  for (const { path, size, version, digest } of files) {
    const found = known.get(version) ?? (await digest());
    if (found !== undefined) {
      keep(known, version, found);
      digested.push({ path, size, digest: found });
    }
  }
  await yieldToEventLoop();
  return digested.sort((one, other) => (one.path < other.path ? -1 : 1));
}

function keep(known: KnownDigests, version: string, digest: string): void {
  known.set(version, digest);
  const [oldest] = known.keys();
  if (known.size > maxKept && oldest !== undefined) {
    known.delete(oldest);
  }
}
