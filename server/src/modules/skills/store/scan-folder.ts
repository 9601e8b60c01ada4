import { folderSource } from './folder-source.ts';
import type { LeftOut, ScanLimits } from './scan-limits.ts';
import type { FoundSkill } from './skill-source.ts';

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
