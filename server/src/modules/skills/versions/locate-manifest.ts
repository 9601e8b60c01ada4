import type { SkillLocation } from '../store/skill-source.ts';
import type { ManifestFile } from './manifest.ts';
import type { SkillVersions } from './skill-versions.ts';
import { createVersionSource } from './version-source.ts';

/**
 * Stored files of a skill that are not published, such as those of a draft, as a location that can be
 * read and diagnosed. Contents are read when they are needed. Undefined if one is not stored.
 */
export async function locateManifest(
  versions: Pick<SkillVersions, 'sizes' | 'content'>,
  skill: string,
  manifest: readonly ManifestFile[],
): Promise<SkillLocation | undefined> {
  const sizes = await versions.sizes(manifest);
  if (!manifest.every(({ digest }) => sizes.has(digest))) {
    return undefined;
  }
  const files = { manifest, sizes, createdAt: 0 };
  const source = createVersionSource({
    location: 'versions',
    find: () => files,
    read: versions.content,
  });
  return { source, path: skill };
}
