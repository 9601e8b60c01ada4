import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlainSkillName } from '@knowhow/shared/skills/skill-name';
import { z } from 'zod';
import { parseJson } from '../platform/lib/parse-json.ts';
import { writeFileAtomic } from '../platform/lib/write-file-atomic.ts';
import { UsageError } from './usage-error.ts';

const lockFile = 'skills-lock.json';
const lockSchema = z.strictObject({
  /** The address of the index. */
  source: z.string(),
  /** Whether it was read with a key. */
  withKey: z.boolean(),
  skills: z.record(
    z.string(),
    z.strictObject({
      /** Digest of the published bytes: `sha256:` and 64 hexadecimal digits. */
      digest: z.string(),
      /** Checksum of the files as they were written. */
      checksum: z.string(),
      /** Submitted by `knowhow publish` since then: checksum of the files, address of the review. */
      submitted: z.strictObject({ checksum: z.string(), review: z.string() }).optional(),
    }),
  ),
});
/** What `knowhow sync` has written into a folder. */
export type SkillsLock = z.infer<typeof lockSchema>;

/** The lock of a folder; undefined without one. Throws a usage error for a malformed one. */
export async function readLock(folder: string): Promise<SkillsLock | undefined> {
  const path = join(folder, lockFile);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    return undefined;
  }
  const lock = lockSchema.safeParse(parseJson(text)).data;
  if (!lock || Object.keys(lock.skills).some((name) => !isPlainSkillName(name))) {
    throw new UsageError(`${path} cannot be read. Repair it, or remove it and sync again.`);
  }
  return lock;
}

/** Throws a usage error unless a folder was synced with this index. */
export function checkLockSource(lock: SkillsLock, source: URL): void {
  if (lock.source !== source.href) {
    throw new UsageError(
      `The folder is synced with ${lock.source}. Name that installation, or choose another folder.`,
    );
  }
}

/** Writes the same bytes for the same skills. */
export async function writeLock(folder: string, { skills, ...lock }: SkillsLock): Promise<void> {
  const entries = Object.entries(skills).sort(([one], [other]) => (one < other ? -1 : 1));
  const sorted = { ...lock, skills: Object.fromEntries(entries) };
  await writeFileAtomic(join(folder, lockFile), `${JSON.stringify(sorted, null, 2)}\n`);
}
