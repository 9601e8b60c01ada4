import { slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { readSkillDocument } from '@knowhow/skill-format';
import { type ArchiveBytes, inMemory } from './archive-bytes.ts';
import { collectIssues, createRejection } from './collect-issues.ts';
import { openTar } from './open-tar.ts';
import { isPortable, portableEntries } from './portable-entries.ts';
import type { ReadArchive } from './read-archive.ts';
import { unpackEntries } from './unpack-entries.ts';
import type { UnpackEntry } from './unpack-entry.ts';
import type { ReportIssue } from './unpack-faults.ts';
import { type ArchiveHint, formatOf, type UnpackFormat } from './unpack-format.ts';
import { archiveLimits, defaultSizeLimits, type SizeLimits } from './unpack-limits.ts';
import type { UnpackedFiles } from './unpack-skills.ts';
import { zipEntries } from './zip-entries.ts';

/**
 * Unpacks the skills of an archive into memory, which may take much time and memory: `readArchive` does it in a
 * worker. Everything else is skipped. Throws one problem that lists all issues.
 */
export async function unpackArchive(
  archive: Buffer | ArchiveBytes,
  hint: ArchiveHint,
  limits: SizeLimits = defaultSizeLimits,
): Promise<ReadArchive> {
  const bytes = Buffer.isBuffer(archive) ? inMemory(archive) : archive;
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
  const { skills: found, ...rest } = await unpackEntries(
    opened.entries,
    { limits, isImport: hint.keepsOthers ?? false, load: opened.load },
    report,
  );
  faults.refuse();
  const skills = found.map((skill) => ({
    ...skill,
    diagnostics: [...skill.diagnostics, ...(opened.diagnostics ?? [])],
    folder: folderOf(skill) || opened.folder || nameOf(skill) || stem(hint) || 'skill',
  }));
  return { format, skills, ...rest };
}

interface Opened {
  entries: UnpackEntry[];
  /** Reads contents that are needed, if this is necessary. */
  load?: (files: ReadonlySet<UnpackEntry>) => Promise<void>;
  /** Folder name for a skill in the root. */
  folder?: string;
  diagnostics?: Diagnostic[];
}

interface OpenOptions {
  limits: SizeLimits;
  hint: ArchiveHint;
}

type Opener = (
  bytes: ArchiveBytes,
  opening: OpenOptions,
  report: ReportIssue,
) => Opened | Promise<Opened>;

const openers: Record<UnpackFormat, Opener> = {
  zip: async (bytes, { limits: { fileBytes } }, report) => ({
    entries: await zipEntries(bytes, { ...archiveLimits, fileBytes }, report),
  }),
  'tar.gz': (bytes, _, report) => openTar(bytes, report),
  json: (archive, { hint }, report) => {
    const bytes = archive.read(0, archive.length);
    return hint.keepsOthers && !isPortable(bytes)
      ? { entries: [singleFile(bytes, fileNameOf(hint) ?? 'source.json')] }
      : portableEntries(bytes, report);
  },
  'skill.md': (archive, { hint }) => {
    const name = hint.keepsOthers ? fileNameOf(hint) : undefined;
    // The name of a typed skill contains its type.
    const isTyped = /(?:^|\.)[a-z]+skill\.md$|\.skill\.md$/i.test(name ?? '');
    const bytes = archive.read(0, archive.length);
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
