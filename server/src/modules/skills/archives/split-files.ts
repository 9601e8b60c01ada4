import type { PackedFile } from '@knowhow/skill-format';
import { collectIssues } from './collect-issues.ts';
import type { ReadArchive } from './read-archive.ts';
import { defaultSizeLimits, type SizeLimits } from './unpack-limits.ts';
import { unpackSkills } from './unpack-skills.ts';

/**
 * Splits the files of a folder like those of an archive: skills, and other files.
 *
 * @throws a problem that lists all issues
 */
export function splitFiles(
  files: readonly PackedFile[],
  limits: SizeLimits = defaultSizeLimits,
): ReadArchive {
  const faults = collectIssues((reason) => `The folder is refused. ${reason}`);
  const entries = files.map(({ path: name, bytes, executable }) => {
    const file = { name, executable, size: bytes.length, read: () => bytes };
    return { kind: 'file', ...file } as const;
  });
  const found = unpackSkills(entries, { limits, keepsOthers: true }, faults.report);
  faults.refuse();
  const skills = found.skills.map((skill) => {
    const folder = skill.root.slice(skill.root.lastIndexOf('/') + 1) || 'skill';
    return { ...skill, folder };
  });
  return { format: 'zip', skills, leftOut: found.leftOut, others: found.others };
}
