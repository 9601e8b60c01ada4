import type { PackedFile } from '@knowhow/skill-format';
import { collectIssues } from './collect-issues.ts';
import type { ReadArchive } from './read-archive.ts';
import { unpackEntries } from './unpack-entries.ts';
import { defaultSizeLimits, type SizeLimits } from './unpack-limits.ts';

/**
 * Splits the files of a folder like those of an archive: skills, and other files.
 *
 * @throws a problem that lists all issues
 */
export async function splitFiles(
  files: readonly PackedFile[],
  limits: SizeLimits = defaultSizeLimits,
): Promise<ReadArchive> {
  const faults = collectIssues((reason) => `The folder is refused. ${reason}`);
  const entries = files.map(({ path: name, bytes, executable }) => {
    const file = { name, executable, size: bytes.length, read: () => bytes };
    return { kind: 'file', ...file } as const;
  });
  const found = await unpackEntries(entries, { limits, isImport: true }, faults.report);
  faults.refuse();
  const skills = found.skills.map((skill) => {
    const folder = skill.root.slice(skill.root.lastIndexOf('/') + 1) || 'skill';
    return { ...skill, folder };
  });
  return { ...found, format: 'zip', skills };
}
