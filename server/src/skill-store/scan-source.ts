import { join } from 'node:path';
import type { FolderWatch } from './folder-watch.ts';
import type { KnownFolder } from './known-folder.ts';
import type { LeftOut, ScanLimits } from './scan-limits.ts';
import type { FoundSkill } from './skill-snapshot.ts';
import type { SkillSource } from './skill-source.ts';
import { openSourceTree } from './source-tree.ts';

/** What a source holds now, in the order of the paths; each skill with the path of its `SKILL.md`. */
export async function scanSource(
  source: SkillSource,
  limits: ScanLimits,
): Promise<{ skills: { path: string; found: FoundSkill }[]; leftOut: LeftOut }> {
  const tree = openSourceTree(source, { limits, watch: noWatch });
  await tree.check();
  const skills = tree.skillFolders().flatMap(({ path, skill }) => {
    return skill ? [{ path: join(path, skill.name), found: skill.found }] : [];
  });
  const leftOut = tree.leftOut();
  tree.close();
  return { skills, leftOut };
}

/** For a single look. */
const noWatch: FolderWatch<KnownFolder> = {
  start: () => undefined,
  stop: () => undefined,
  isWatching: () => true,
  take: () => new Map(),
};
