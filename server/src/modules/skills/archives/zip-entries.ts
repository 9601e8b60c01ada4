import { crc32, inflateRawSync } from 'node:zlib';
import { findPathIssue } from '@knowhow/skill-format';
import type { ArchiveBytes } from './archive-bytes.ts';
import { createBrokenEntry, type UnpackEntry } from './unpack-entry.ts';
import {
  type ArchiveIssue,
  archiveIssues,
  fileTooLarge,
  type ReportIssue,
  tooMuch,
} from './unpack-faults.ts';
import { type ArchiveLimits, maxUnpackedBytes } from './unpack-limits.ts';
import { readZipDirectory } from './zip-directory.ts';
import { zipName } from './zip-name.ts';
import {
  isExecutable,
  kindOfRecord,
  methodStored,
  type ZipKind,
  type ZipRecord,
} from './zip-record.ts';

interface Budget {
  limits: ZipLimits;
  /** Remaining unpacked bytes of the archive. */
  left: number;
}

interface ZipLimits extends ArchiveLimits {
  /** Maximum unpacked bytes of an entry. */
  fileBytes: number;
}

/**
 * The entries of a zip. Reports issues of the zip. An issue of an entry is reported when it is read, and does not
 * matter otherwise.
 */
export async function zipEntries(
  bytes: ArchiveBytes,
  limits: ZipLimits,
  report: ReportIssue,
): Promise<UnpackEntry[]> {
  const budget: Budget = { limits, left: limits.producedBytes };
  const located = (await readZipDirectory(bytes, limits, report)) ?? [];
  const separate = separatorOf(located.map(({ record }) => zipName(record)));
  let total = 0;
  const entries = located.map(({ record, start, end }) => {
    const name = separate(zipName(record));
    const kind = kindOfRecord(record, name);
    if (typeof kind !== 'string') {
      return createBrokenEntry(name, kind);
    }
    if (record.size > maxUnpackedBytes(record.compressedSize, limits)) {
      return createBrokenEntry(name, archiveIssues.bomb);
    }
    total += record.size;
    return entryOf({ name, kind, record }, () => unpack(record, bytes.read(start, end), budget));
  });
  if (total > limits.producedBytes) {
    report('', tooMuch(limits));
    return [];
  }
  return entries;
}

/**
 * Some programs on Windows write backslashes between folders, against 4.4.17.1 of the zip
 * specification. They are read as slashes, unless a name has both, or is not a plain relative path
 * with slashes: then it stays and is rejected.
 */
function separatorOf(names: readonly string[]): (name: string) => string {
  const isMixed = names.some((name) => name.includes('\\') && name.includes('/'));
  return (name) => {
    const path = name.replaceAll('\\', '/');
    return isMixed || findPathIssue(path.replace(/\/$/, '')) ? name : path;
  };
}

function entryOf(
  { name, kind, record }: { name: string; kind: ZipKind; record: ZipRecord },
  unpackContent: () => Uint8Array | ArchiveIssue,
): UnpackEntry {
  if (kind === 'folder') {
    return { name, kind };
  }
  if (kind === 'file') {
    const read = (report: ReportIssue) => {
      const content = unpackContent();
      if (content instanceof Uint8Array) {
        return content;
      }
      report(content.code === 'too-large' ? '' : name, content);
      return undefined;
    };
    return { name, kind, executable: isExecutable(record), size: record.size, read };
  }
  const target = unpackContent();
  return target instanceof Uint8Array
    ? { name, kind, target: Buffer.from(target).toString(), isHard: false }
    : createBrokenEntry(name, target);
}

/** Never unpacks more than the file limit into memory, whatever the headers declare. */
function unpack(record: ZipRecord, data: Buffer, budget: Budget): Uint8Array | ArchiveIssue {
  const { size, method } = record;
  if (size > budget.left) {
    return tooMuch(budget.limits);
  }
  const content = method === methodStored ? data : inflate(data, budget.limits);
  if (!(content instanceof Uint8Array)) {
    return content;
  }
  budget.left -= content.length;
  if (content.length !== size) {
    return archiveIssues.size;
  }
  return crc32(content) === record.crc ? content : archiveIssues.checksum;
}

function inflate(data: Buffer, limits: ZipLimits): Buffer | ArchiveIssue {
  const { fileBytes } = limits;
  const max = maxUnpackedBytes(data.length, limits);
  const maxOutputLength = Math.min(max, fileBytes);
  try {
    // The types declare only the bytes.
    const { buffer, engine } = inflateRawSync(data, { maxOutputLength, info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return engine.bytesWritten === data.length ? buffer : archiveIssues.damaged;
  } catch (error) {
    const isTooMuch =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (!isTooMuch) {
      return archiveIssues.damaged;
    }
    return max < fileBytes ? archiveIssues.bomb : fileTooLarge(fileBytes);
  }
}
