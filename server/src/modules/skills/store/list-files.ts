import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import type { SkillFile } from '@knowhow/shared/skills/skills';
import { detectMediaType } from '../../../platform/lib/media-type.ts';
import type { SkillLocation } from './skill-source.ts';

const headBytes = 512;
const maxFiles = 1000;

/**
 * The files of a skill except `SKILL.md`, by path. Above the limit, files in higher folders come
 * first.
 */
export async function listResources({ source, path: folder }: SkillLocation): Promise<SkillFile[]> {
  const { files } = await source.files(folder, 2 * maxFiles);
  return files
    .filter(({ path }) => path !== 'SKILL.md')
    .slice(0, maxFiles)
    .map(({ path, size }) => ({ path, size }))
    .sort(byPath);
}

/** All files of a skill, `SKILL.md` first, then by path. */
export async function listAllFiles({
  source,
  path: folder,
}: SkillLocation): Promise<AdminSkillFile[]> {
  const { files } = await source.files(folder);
  const listed: AdminSkillFile[] = [];
  for (const { path, size, executable, read } of files) {
    const head = source.isRemote ? new Uint8Array() : await read(headBytes);
    if (head) {
      listed.push({ path, size, executable, kind: detectMediaType(path, head).kind });
    }
  }
  return listed.sort((one, other) => rank(one) - rank(other) || byPath(one, other));
}

function rank({ path }: AdminSkillFile): number {
  return path === 'SKILL.md' ? 0 : 1;
}

function byPath(one: { path: string }, other: { path: string }): number {
  return one.path < other.path ? -1 : 1;
}
