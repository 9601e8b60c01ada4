import { problem } from '@knowhow/shared/problem';
import {
  documentLimits,
  inMebibytes,
  type PackedFile,
  readContent,
  writeArchive,
} from '../../skills/index.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { findEntry } from './skill-entries.ts';

const maxSkills = 200;

/** A zip with a folder for each skill. Throws a problem above the limits. */
export async function packSkills(
  { skills, sizeLimits }: SkillAdmin,
  names: readonly string[],
): Promise<Buffer> {
  if (names.length > maxSkills) {
    throw problem('invalid-request', `Up to ${maxSkills} skills fit into one archive.`);
  }
  const files: PackedFile[] = [];
  let total = 0;
  for (const wanted of names) {
    const entry = findEntry(skills.snapshot, wanted);
    for (const file of await readContent(entry, sizeLimits)) {
      total += file.bytes.length;
      files.push({ ...file, path: `${entry.name}/${file.path}` });
    }
    if (total > documentLimits.producedBytes) {
      throw problem(
        'too-large',
        `Up to ${inMebibytes(documentLimits.producedBytes)} fit into one archive. Export fewer skills at once.`,
      );
    }
  }
  return writeArchive('skills', files, 'zip');
}
