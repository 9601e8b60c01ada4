import { type Problem, type ProblemIssue, problem } from '@knowhow/shared/problem';
import { readSkillDocument, reveal, slug } from '../skill-format/skill-format.ts';
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
  const issues = new Map<string, ProblemIssue>();
  const report: Report = (name, { code, message }) => {
    const path = shown(name);
    issues.set(`${path} ${code}`, { path, code, message });
  };
  const format = formatOf(bytes, hint);
  if (typeof format !== 'string') {
    report('', format);
    throw refusal([...issues.values()]);
  }
  const opened = await openers[format](bytes, limits, report);
  const isOpen = opened.entries.length > 0 || issues.size === 0;
  const found = isOpen ? unpackSkills(opened.entries, limits, report) : undefined;
  if (!found || issues.size > 0) {
    throw refusal([...issues.values()]);
  }
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
  zip: (bytes, limits, report) => ({ entries: zipEntries(bytes, limits, report) }),
  'tar.gz': async (bytes, _limits, report) => ({ entries: await tarEntries(bytes, report) }),
  json: (bytes, _limits, report) => portableEntries(bytes, report),
  'skill.md': (bytes) => {
    const file = { name: 'SKILL.md', executable: false, size: bytes.length, read: () => bytes };
    return { entries: [{ kind: 'file', ...file }] };
  },
};

const maxListed = 100;
const maxShown = 256;

function refusal(issues: ProblemIssue[]): Problem {
  const [first] = issues;
  const reason =
    issues.length === 1 && first
      ? `${first.path && `"${first.path}": `}${first.message}`
      : `${issues.length} things are wrong with it${issues.length > maxListed ? `, of which ${maxListed} are listed` : ''}.`;
  return problem(
    'invalid-archive',
    `The archive is refused. ${reason} Nothing was taken from it: mend that, pack it again and try once more.`,
    { issues: issues.slice(0, maxListed) },
  );
}

function shown(name: string): string {
  const points = [...name.slice(0, 2 * maxShown + 2)];
  return reveal(points.length > maxShown ? `${points.slice(0, maxShown).join('')}…` : name);
}

function folderOf({ place }: UnpackedFiles): string {
  return place.slice(place.lastIndexOf('/') + 1);
}

function nameOf({ files }: UnpackedFiles): string {
  const main = files.find(({ path }) => path === 'SKILL.md');
  return main ? slug(readSkillDocument(main.bytes).fields.get('name')?.text ?? '') : '';
}

function stem({ fileName = '' }: ArchiveHint): string {
  return slug(fileName.replace(/\.(?:zip|skill|tgz|tar\.gz|json|md)$/i, ''));
}
