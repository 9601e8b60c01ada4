import { createGunzip } from 'node:zlib';
import { createTarReader, DamagedTar, type TarEntry } from '../../../platform/lib/read-tar.ts';
import type { UnpackEntry } from './unpack-entry.ts';
import { type ArchiveIssue, archiveIssues, type ReportIssue } from './unpack-faults.ts';
import { archiveLimits, maxUnpackedBytes } from './unpack-limits.ts';

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
export async function tarEntries(bytes: Buffer, report: ReportIssue): Promise<UnpackEntry[]> {
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
