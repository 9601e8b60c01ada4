import { slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { readSkillDocument } from '../format/skill-format.ts';
import { collectIssues, createRejection } from './collect-issues.ts';
import { isPortable, portableEntries } from './portable-entries.ts';
import type { ReadArchive } from './read-archive.ts';
import { tarEntries } from './tar-entries.ts';
import type { UnpackEntry } from './unpack-entry.ts';
import type { ReportIssue } from './unpack-faults.ts';
import { type ArchiveHint, formatOf, type UnpackFormat } from './unpack-format.ts';
import { defaultSizeLimits, type SizeLimits } from './unpack-limits.ts';
import { type UnpackedFiles, unpackSkills } from './unpack-skills.ts';
import { zipEntries } from './zip-entries.ts';

/**
 * Unpacks an archive in memory, which may take much time and memory: `readArchive` does it in a
 * worker. Throws one problem that lists all issues.
 */
export async function unpackArchive(
  bytes: Buffer,
  hint: ArchiveHint,
  limits: SizeLimits = defaultSizeLimits,
): Promise<ReadArchive> {
  const faults = collectIssues(sentence);
  const { report } = faults;
  const format = formatOf(bytes, hint);
  if (typeof format !== 'string') {
    throw createRejection(format, sentence);
  }
  const opened = await openers[format](bytes, { limits, hint }, report);
  if (opened.entries.length === 0) {
    faults.refuse();
  }
  const found = unpackSkills(opened.entries, { limits, keepsOthers: hint.keepsOthers }, report);
  faults.refuse();
  const skills = found.skills.map((skill) => ({
    ...skill,
    diagnostics: [...skill.diagnostics, ...(opened.diagnostics ?? [])],
    folder: folderOf(skill) || opened.folder || nameOf(skill) || stem(hint) || 'skill',
  }));
  return { format, skills, leftOut: found.leftOut, others: found.others };
}

interface Opened {
  entries: UnpackEntry[];
  /** Folder name for a skill in the root. */
  folder?: string;
  diagnostics?: Diagnostic[];
}

interface OpenOptions {
  limits: SizeLimits;
  hint: ArchiveHint;
}

type Opener = (
  bytes: Buffer,
  opening: OpenOptions,
  report: ReportIssue,
) => Opened | Promise<Opened>;

const openers: Record<UnpackFormat, Opener> = {
  zip: async (bytes, { limits }, report) => ({ entries: await zipEntries(bytes, limits, report) }),
  'tar.gz': async (bytes, _, report) => ({ entries: await tarEntries(bytes, report) }),
  json: (bytes, { hint }, report) =>
    hint.keepsOthers && !isPortable(bytes)
      ? { entries: [singleFile(bytes, fileNameOf(hint) ?? 'source.json')] }
      : portableEntries(bytes, report),
  'skill.md': (bytes, { hint }) => {
    const name = hint.keepsOthers ? fileNameOf(hint) : undefined;
    // The name of a typed skill contains its type.
    const isTyped = /(?:^|\.)[a-z]+skill\.md$|\.skill\.md$/i.test(name ?? '');
    return { entries: [singleFile(bytes, isTyped && name ? name : 'SKILL.md')] };
  },
};

function singleFile(bytes: Buffer, name: string): UnpackEntry {
  return { kind: 'file', name, executable: false, size: bytes.length, read: () => bytes };
}

function fileNameOf({ fileName }: ArchiveHint): string | undefined {
  return fileName?.split(/[\\/]/).at(-1) || undefined;
}

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
