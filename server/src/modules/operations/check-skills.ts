import { join } from 'node:path';
import { formatCount } from '../../platform/lib/format-count.ts';
import type { UnpackedFile } from '../skills/archives/unpack-members.ts';
import { readSkillAt } from '../skills/store/find-skill-files.ts';

const maxListed = 100;

/**
 * Reads every `SKILL.md` as the skill store would and reports those with errors. They do not block a restore, because
 * they were like that when the backup was made.
 */
export async function checkSkills(
  files: Iterable<UnpackedFile>,
  directory: string,
): Promise<string[]> {
  const root = join(directory, 'contents/skills');
  const warnings: string[] = [];
  for (const { path, diskPath } of files) {
    if (!/^contents\/skills\/.+\/skill\.md$/i.test(path)) {
      continue;
    }
    const found = await readSkillAt({ root, path: diskPath });
    const diagnostics = 'diagnostic' in found ? [found.diagnostic] : found.diagnostics;
    const error = diagnostics.find(({ severity }) => severity === 'error');
    if (error) {
      warnings.push(`${path}: ${error.message}`);
    }
  }
  const more = warnings.length - maxListed;
  return more > 0
    ? [
        ...warnings.slice(0, maxListed),
        `${formatCount(more, 'more skill has errors', 'more skills have errors')}.`,
      ]
    : warnings;
}
