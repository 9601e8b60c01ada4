import { createGunzip } from 'node:zlib';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { readSkillDocument } from '@knowhow/skill-format';
import { createTarReader, DamagedTar, type TarEntry } from '../../../platform/lib/read-tar.ts';
import { collectIssues, createRejection } from './collect-issues.ts';
import { isPortable, portableEntries } from './portable-entries.ts';
import type { ReadArchive } from './read-archive.ts';
import type { UnpackEntry } from './unpack-entry.ts';
import { type ArchiveIssue, archiveIssues, type ReportIssue } from './unpack-faults.ts';
import { type ArchiveHint, formatOf, type UnpackFormat } from './unpack-format.ts';
import {
  archiveLimits,
  defaultSizeLimits,
  maxUnpackedBytes,
  type SizeLimits,
} from './unpack-limits.ts';
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

const faults = {
  gzip: {
    code: 'damaged',
    message: 'The gzip is damaged, was cut off, or continues after its end.',
  },
  noTar: { code: 'damaged', message: 'There is a gzip, but no tar inside of it.' },
  header: { code: 'damaged', message: 'The header of an entry is damaged.' },
  noEnd: { code: 'truncated', message: 'The tar has no end: it was cut off.' },
  afterEnd: { code: 'hidden-data', message: 'There is data after the end of the tar.' },
} satisfies Record<string, ArchiveIssue>;

/** The entries of a gzipped tar. Reports issues of the tar and of entries. */
async function tarEntries(bytes: Buffer, report: ReportIssue): Promise<UnpackEntry[]> {
  const tar = await gunzip(bytes);
  if (tar instanceof Uint8Array) {
    return readEntries(tar, report);
  }
  report('', tar);
  return [];
}

/** Never unpacks more than the limit into memory, whatever the headers declare. */
async function gunzip(bytes: Buffer): Promise<Buffer | ArchiveIssue> {
  const max = Math.min(maxUnpackedBytes(bytes.length), archiveLimits.producedBytes);
  // The operating system allocates this memory only as it is written.
  const tar = Buffer.alloc(max);
  let length = 0;
  const stream = createGunzip();
  try {
    for await (const chunk of stream.end(bytes) as AsyncIterable<Buffer>) {
      if (length + chunk.length > max) {
        return max < archiveLimits.producedBytes
          ? archiveIssues.bomb
          : archiveIssues.archiveTooLarge;
      }
      length += chunk.copy(tar, length);
    }
  } catch {
    return faults.gzip;
  }
  return stream.bytesWritten === bytes.length ? tar.subarray(0, length) : faults.gzip;
}

class TooManyEntries extends Error {}

/** Reads the complete entries. */
function readEntries(tar: Buffer, report: ReportIssue): UnpackEntry[] {
  const entries: UnpackEntry[] = [];
  const reader = createTarReader((entry) => {
    if (reader.headers > archiveLimits.entries) {
      throw new TooManyEntries();
    }
    let content: Buffer = Buffer.alloc(0);
    return {
      // The archive is one chunk, so that the content arrives at once, and is not copied.
      write: (bytes) => {
        content = bytes;
      },
      end: () => {
        const read = unpackEntry(entry, content);
        if (read) {
          entries.push(read);
        } else {
          report(entry.path, archiveIssues.special);
        }
      },
    };
  });
  const fault = readAll(reader, tar);
  if (fault) {
    report('', reader.headers === 0 ? faults.noTar : fault);
  }
  return entries;
}

function readAll(
  reader: ReturnType<typeof createTarReader>,
  tar: Buffer,
): ArchiveIssue | undefined {
  try {
    reader.push(tar);
  } catch (error) {
    if (error instanceof TooManyEntries) {
      return archiveIssues.tooManyEntries;
    }
    if (error instanceof DamagedTar) {
      return faults.header;
    }
    throw error;
  }
  if (!reader.hasEnded) {
    return faults.noEnd;
  }
  return reader.hasTrailingData ? faults.afterEnd : undefined;
}

/** Undefined for devices, pipes and the like. */
function unpackEntry(entry: TarEntry, content: Buffer): UnpackEntry | undefined {
  const { type, path: name, linkpath: target, mode } = entry;
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile': {
      const executable = (mode & 0o111) !== 0;
      return { name, kind: 'file', executable, size: content.length, read: () => content };
    }
    case 'Directory':
      return { name, kind: 'folder' };
    case 'SymbolicLink':
      return { name, kind: 'link', target, isHard: false };
    case 'Link':
      return { name, kind: 'link', target, isHard: true };
    default:
      return undefined;
  }
}
