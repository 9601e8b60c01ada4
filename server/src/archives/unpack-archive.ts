import { readSkillDocument, slug } from '../skill-format/skill-format.ts';
import { collectFaults, refusalOf } from './collect-faults.ts';
import { portableEntries } from './portable-entries.ts';
import type { ReadArchive } from './read-archive.ts';
import { tarEntries } from './tar-entries.ts';
import type { UnpackEntry } from './unpack-entry.ts';
import type { Report } from './unpack-faults.ts';
import { type ArchiveHint, formatOf, type UnpackFormat } from './unpack-format.ts';
import { defaultSizeLimits, type SizeLimits } from './unpack-limits.ts';
import { type UnpackedFiles, unpackSkills } from './unpack-skills.ts';
import { zipEntries } from './zip-entries.ts';

/**
 * Takes an archive apart in memory, which may take long and much of it: `readArchive` does so aside.
 * Throws one problem that lists everything wrong with it.
 */
export async function unpackArchive(
  bytes: Buffer,
  hint: ArchiveHint,
  limits: SizeLimits = defaultSizeLimits,
): Promise<ReadArchive> {
  const faults = collectFaults(sentence);
  const { report } = faults;
  const format = formatOf(bytes, hint);
  if (typeof format !== 'string') {
    throw refusalOf(format, sentence);
  }
  const opened = await openers[format](bytes, limits, report);
  if (opened.entries.length === 0) {
    faults.refuse();
  }
  const found = unpackSkills(opened.entries, limits, report);
  faults.refuse();
  const skills = found.skills.map((skill) => ({
    ...skill,
    folder: folderOf(skill) || opened.folder || nameOf(skill) || stem(hint) || 'skill',
  }));
  return { format, skills, leftOut: found.leftOut };
}

interface Opened {
  entries: UnpackEntry[];
  /** The name of a folder, for a skill in the root. */
  folder?: string;
}

type Opener = (bytes: Buffer, limits: SizeLimits, report: Report) => Opened | Promise<Opened>;

const openers: Record<UnpackFormat, Opener> = {
  zip: async (bytes, limits, report) => ({ entries: await zipEntries(bytes, limits, report) }),
  'tar.gz': async (bytes, _limits, report) => ({ entries: await tarEntries(bytes, report) }),
  json: (bytes, _limits, report) => portableEntries(bytes, report),
  'skill.md': (bytes) => {
    const file = { name: 'SKILL.md', executable: false, size: bytes.length, read: () => bytes };
    return { entries: [{ kind: 'file', ...file }] };
  },
};

const sentence = (reason: string) =>
  `The archive is refused. ${reason} Nothing was taken from it: fix that, pack it again and try once more.`;

function folderOf({ root }: UnpackedFiles): string {
  return root.slice(root.lastIndexOf('/') + 1);
}

function nameOf({ files }: UnpackedFiles): string {
  const main = files.find(({ path }) => path === 'SKILL.md');
  return main ? slug(readSkillDocument(main.bytes).fields.get('name')?.text ?? '') : '';
}

function stem({ fileName = '' }: ArchiveHint): string {
  return slug(fileName.replace(/\.(?:zip|skill|tgz|tar\.gz|json|md)$/i, ''));
}
