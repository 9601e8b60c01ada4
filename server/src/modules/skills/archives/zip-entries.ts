import { crc32, inflateRawSync } from 'node:zlib';
import { findPathIssue } from '@knowhow/skill-format';
import type { UnpackEntry } from './unpack-entry.ts';
import {
  type ArchiveIssue,
  archiveIssues,
  fileTooLarge,
  type ReportIssue,
} from './unpack-faults.ts';
import { archiveLimits, maxUnpackedBytes, type SizeLimits } from './unpack-limits.ts';
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
  /** Remaining unpacked bytes of the archive. */
  left: number;
  /** Maximum unpacked bytes of an entry. */
  fileBytes: number;
}

/** The entries of a zip. Reports issues of the zip and of entries. */
export async function zipEntries(
  bytes: Buffer,
  { fileBytes }: SizeLimits,
  report: ReportIssue,
): Promise<UnpackEntry[]> {
  const budget: Budget = { left: archiveLimits.producedBytes, fileBytes };
  const located = (await readZipDirectory(bytes, report)) ?? [];
  const separate = separatorOf(located.map(({ record }) => zipName(record)));
  return located.flatMap(({ record, start, end }) => {
    const name = separate(zipName(record));
    const kind = kindOfRecord(record, name);
    if (typeof kind !== 'string' || record.size > maxUnpackedBytes(record.compressedSize)) {
      report(name, typeof kind === 'string' ? archiveIssues.bomb : kind);
      return [];
    }
    const read = () => {
      const content = unpack(record, bytes.subarray(start, end), budget);
      if (content instanceof Uint8Array) {
        return content;
      }
      report(content === archiveIssues.archiveTooLarge ? '' : name, content);
      return undefined;
    };
    return entryOf({ name, kind, record }, read);
  });
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
  read: () => Uint8Array | undefined,
): UnpackEntry[] {
  if (kind === 'folder') {
    return [{ name, kind }];
  }
  if (kind === 'file') {
    return [{ name, kind, executable: isExecutable(record), size: record.size, read }];
  }
  const target = read();
  return target ? [{ name, kind, target: Buffer.from(target).toString(), isHard: false }] : [];
}

/** Never unpacks more than the file limit into memory, whatever the headers declare. */
function unpack(record: ZipRecord, data: Buffer, budget: Budget): Uint8Array | ArchiveIssue {
  const { size, method } = record;
  if (size > budget.left) {
    return archiveIssues.archiveTooLarge;
  }
  const content = method === methodStored ? data : inflate(data, budget.fileBytes);
  if (!(content instanceof Uint8Array)) {
    return content;
  }
  budget.left -= content.length;
  if (content.length !== size) {
    return archiveIssues.size;
  }
  return crc32(content) === record.crc ? content : archiveIssues.checksum;
}

function inflate(data: Buffer, fileBytes: number): Buffer | ArchiveIssue {
  const max = maxUnpackedBytes(data.length);
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
