import type { AdminSkillFile } from '@knowhow/shared/admin-skill';
import { mediaTypeOf } from '../lib/media-type.ts';
import { openSkillFile } from './skill-files.ts';
import { unlessGone, walkFolder } from './walk-folder.ts';

const headBytes = 512;

/** Every file of a skill's folder, `SKILL.md` first, then by path. */
export async function listAllFiles(directory: string): Promise<AdminSkillFile[]> {
  const { files } = await walkFolder(directory);
  const listed: AdminSkillFile[] = [];
  for (const { path, size, executable } of files) {
    const file = await openSkillFile(directory, path);
    const head = file && (await unlessGone(file.read(0, Math.min(size, headBytes))));
    if (!head) {
      continue;
    }
    listed.push({ path, size, executable, kind: mediaTypeOf(path, head).kind });
  }
  return listed.sort((one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1));
}

function rank({ path }: AdminSkillFile): number {
  return path === 'SKILL.md' ? 0 : 1;
}
