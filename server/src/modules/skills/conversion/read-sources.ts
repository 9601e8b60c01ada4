import { problem } from '@knowhow/shared/problem';
import { type ReadArchive, readArchive } from '../archives/read-archive.ts';
import type { ArchiveHint } from '../archives/unpack-format.ts';
import type { SizeLimits } from '../archives/unpack-limits.ts';
import { convertSources, type ReadSources } from './convert-sources.ts';

/**
 * Reads an archive of skills or convertible sources.
 *
 * @param source its bytes, or the path of its file
 * @throws a problem that lists all issues, including an archive without anything to import
 */
export async function readSources(
  source: Uint8Array | string,
  hint: ArchiveHint,
  limits?: SizeLimits,
): Promise<ReadSources> {
  const archive: ReadArchive = await readArchive(source, { ...hint, keepsOthers: true }, limits);
  const sources = await convertSources(archive, limits);
  if (sources.skills.length === 0 && sources.plugins.length === 0) {
    throw problem('invalid-archive', `The archive is refused. ${nothing} ${known}`, {
      issues: [{ path: '', code: 'no-skill', message: nothing }],
    });
  }
  return sources;
}

const nothing = 'There is no SKILL.md in it, and nothing else that a skill can be made of.';
const known =
  'What can be imported besides: plugins and flows of AnythingLLM, typed skills of Achilles, and plugins that bring skills.';
