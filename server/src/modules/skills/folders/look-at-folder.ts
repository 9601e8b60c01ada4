import { getMarksChecksum } from '../../../platform/lib/files-checksum.ts';
import { type DigestedFile, digestFiles, type KnownDigests } from '../store/digest-files.ts';
import { toNothing } from '../store/skill-content.ts';
import type { SkillLocation } from '../store/skill-source.ts';
import type { PublishedSource } from './published-source.ts';

/** Returns the checksum of the files of a folder; undefined if there is none, or if it is empty. */
export type LookAtFolder = (location: SkillLocation) => Promise<string | undefined>;

interface Seen {
  versions: string;
  checksum: string;
}

/** Reads only files that have changed since the last call: otherwise, it looks at their times and sizes. */
export function createFolderLook(): LookAtFolder {
  const digests: KnownDigests = new Map();
  const seen = new Map<string, Seen>();
  return async (location) => {
    const found = await toNothing(location.source.files(location.path));
    if (!found || found.files.length === 0) {
      seen.delete(location.path);
      return undefined;
    }
    const versions = found.files
      .map(({ version, executable }) => `${version} ${executable}`)
      .sort()
      .join('\n');
    const known = seen.get(location.path);
    if (known?.versions === versions) {
      return known.checksum;
    }
    const files = (await digestFiles(location, unlimited, digests)) ?? [];
    const checksum = getMarksChecksum(files.map(toMark));
    seen.set(location.path, { versions, checksum });
    return checksum;
  };
}

const unlimited = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

function toMark({ path, executable, digest }: DigestedFile) {
  return { path, executable, checksum: digest };
}

/** Whether the folder of local skills is missing or has no skill, now or when it was last read. */
export async function isFolderMissing({ folder, status }: PublishedSource): Promise<boolean> {
  const { isThere, hasSkills } = status();
  return !isThere || !hasSkills || (await folder.isGone());
}
