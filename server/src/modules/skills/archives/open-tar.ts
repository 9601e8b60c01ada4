import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import {
  createTarReader,
  DamagedTar,
  type TarEntry,
  type TarReader,
} from '../../../platform/lib/read-tar.ts';
import { type ArchiveBytes, readChunks } from './archive-bytes.ts';
import { createBrokenEntry, type FileEntry, type UnpackEntry } from './unpack-entry.ts';
import { type ArchiveIssue, archiveIssues, type ReportIssue } from './unpack-faults.ts';
import { archiveLimits, maxUnpackedBytes } from './unpack-limits.ts';

/** The entries of a gzipped tar. */
interface TarArchive {
  entries: UnpackEntry[];
  /** Reads the contents of files; before, they cannot be read. */
  load(files: ReadonlySet<UnpackEntry>): Promise<void>;
}

/**
 * Lists the entries of a gzipped tar, without their contents: which of them are wanted is known only afterwards. Then
 * the archive is unpacked again. Reports issues of the tar and of its header.
 */
export async function openTar(bytes: ArchiveBytes, report: ReportIssue): Promise<TarArchive> {
  const contents = new Map<UnpackEntry, Buffer>();
  const entries: UnpackEntry[] = [];
  const fault = await readTar(bytes, (entry) => {
    entries.push(toEntry(entry, contents));
    return undefined;
  });
  if (fault) {
    report('', fault);
    return { entries: [], load: () => Promise.resolve() };
  }
  return {
    entries,
    load: async (files) => {
      let at = 0;
      await readTar(bytes, () => {
        const entry = entries[at];
        at += 1;
        return entry && files.has(entry) && !contents.has(entry)
          ? (content) => contents.set(entry, content)
          : undefined;
      });
    },
  };
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

/** Takes the content of an entry; undefined to skip it. */
type Open = (entry: TarEntry) => ((content: Buffer) => void) | undefined;

class Stopped extends Error {
  readonly fault: ArchiveIssue;
  constructor(fault: ArchiveIssue) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Never unpacks more than the limit, whatever the headers declare. */
async function readTar(bytes: ArchiveBytes, open: Open): Promise<ArchiveIssue | undefined> {
  const max = Math.min(maxUnpackedBytes(bytes.length), archiveLimits.producedBytes);
  let length = 0;
  const reader = createTarReader((entry) => {
    if (reader.headers > archiveLimits.entries) {
      throw new Stopped(archiveIssues.tooManyEntries);
    }
    const take = open(entry);
    if (!take) {
      return undefined;
    }
    const content = Buffer.allocUnsafeSlow(entry.size);
    let filled = 0;
    return {
      write: (part) => {
        filled += part.copy(content, filled);
      },
      end: () => take(content),
    };
  });
  const stream = createGunzip({ chunkSize: chunkBytes });
  const read = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > max) {
        const isBomb = max < archiveLimits.producedBytes;
        throw new Stopped(isBomb ? archiveIssues.bomb : archiveIssues.archiveTooLarge);
      }
      reader.push(chunk);
    }
  };
  try {
    await pipeline(readChunks(bytes), stream, read);
  } catch (error) {
    if (error instanceof Stopped) {
      return error.fault;
    }
    if (error instanceof DamagedTar) {
      return reader.headers === 0 ? faults.noTar : faults.header;
    }
    return faults.gzip;
  }
  if (stream.bytesWritten !== bytes.length) {
    return faults.gzip;
  }
  return findFault(reader);
}

/** Few parts for each entry. */
const chunkBytes = 256 * 1024;

function findFault(reader: TarReader): ArchiveIssue | undefined {
  if (reader.headers === 0) {
    return reader.hasEnded && !reader.hasTrailingData ? undefined : faults.noTar;
  }
  if (!reader.hasEnded) {
    return faults.noEnd;
  }
  return reader.hasTrailingData ? faults.afterEnd : undefined;
}

function toEntry(
  { type, path: name, linkpath: target, mode, size }: TarEntry,
  contents: ReadonlyMap<UnpackEntry, Buffer>,
): UnpackEntry {
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile': {
      const executable = (mode & 0o111) !== 0;
      const file: FileEntry = {
        name,
        kind: 'file',
        executable,
        size,
        read: () => contents.get(file),
      };
      return file;
    }
    case 'Directory':
      return { name, kind: 'folder' };
    case 'SymbolicLink':
      return { name, kind: 'link', target, isHard: false };
    case 'Link':
      return { name, kind: 'link', target, isHard: true };
    default:
      return createBrokenEntry(name, archiveIssues.special);
  }
}
