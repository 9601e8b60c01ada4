import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type Entry, fromFd, type Options, type ZipFile } from 'yauzl';
import { toReadProblem } from '../../../platform/lib/read-problem.ts';
import {
  type ArchiveIssue,
  archiveIssues,
  fileTooLarge,
  type ReportIssue,
  tooManyEntries,
  tooMuch,
} from './unpack-faults.ts';
import { type ArchiveLimits, maxUnpackedBytes } from './unpack-limits.ts';
import { locateRecords } from './zip-layout.ts';
import { zipName } from './zip-name.ts';
import { isExecutable, kindOfRecord, type ZipKind, type ZipRecord } from './zip-record.ts';

/** A zip with a validated directory; the contents of its files are not validated yet. */
export interface OpenZip {
  members: ZipMember[];
  /** The content of a member. Fails if it is damaged or differs from the declared size. */
  read(member: ZipMember): Promise<Readable>;
  close(): Promise<void>;
}

/** A file in a zip. */
export interface ZipMember {
  name: string;
  size: number;
  crc: number;
  executable: boolean;
  entry: Entry;
}

/** Limits of a zip. */
interface ZipLimits extends ArchiveLimits {
  /** Maximum size of a file in bytes, by name. */
  fileBytesOf(name: string): number;
}

/** Opens a zip and reports issues. Throws a problem if it cannot be read. */
export async function openZipFile(
  path: string,
  report: ReportIssue,
  limits: ZipLimits,
): Promise<OpenZip> {
  const file = await open(path).catch((error: unknown) => {
    throw toReadProblem(error, path);
  });
  const members: ZipMember[] = [];
  let zip: ZipFile | undefined;
  try {
    zip = await openDirectory(file);
    members.push(...(await readDirectory({ zip, file }, report, limits)));
  } catch (error) {
    report('', faultOfError(error, zip));
  }
  return {
    members,
    read: async ({ entry }) => {
      if (!zip) {
        throw new Error('The zip has not been opened.');
      }
      return zip.openReadStreamPromise(entry);
    },
    close: () => file.close(),
  };
}

const options = { autoClose: false, lazyEntries: true, decodeStrings: false } satisfies Options;

function openDirectory(file: FileHandle): Promise<ZipFile> {
  return promisify<number, Options, ZipFile>(fromFd)(file.fd, options);
}

const faults = {
  truncated: {
    code: 'truncated',
    message:
      'It is not a zip, or has no directory at its end: it was cut off, or something was added.',
  },
  damaged: { code: 'damaged', message: 'The directory of the zip is damaged.' },
  encrypted: { code: 'encrypted', message: 'The zip is encrypted. Pack it without a password.' },
  afterEnd: { code: 'hidden-data', message: 'There is data behind the directory of the zip.' },
  link: { code: 'link', message: 'The entry is a symbolic link; only files are taken.' },
} satisfies Record<string, ArchiveIssue>;

function faultOfError(error: unknown, zip: ZipFile | undefined): ArchiveIssue {
  if (!zip) {
    return faults.truncated;
  }
  const isEncrypted = error instanceof Error && error.message.startsWith('strong encryption');
  return isEncrypted ? faults.encrypted : faults.damaged;
}

async function readDirectory(
  { zip, file }: { zip: ZipFile; file: FileHandle },
  report: ReportIssue,
  limits: ZipLimits,
): Promise<ZipMember[]> {
  if (zip.entryCount > limits.entries) {
    report('', tooManyEntries(limits));
    return [];
  }
  const start = cursorOf(zip);
  const records: EntryRecord[] = [];
  for await (const entry of zip.eachEntry()) {
    records.push(recordOf(entry));
  }
  await checkLayout({ zip, file, records, start, end: cursorOf(zip) }, report);
  const members = records.flatMap((record) => memberOf(record, report, limits));
  const produced = members.reduce((sum, { size }) => sum + size, 0);
  if (produced > limits.producedBytes) {
    report('', tooMuch(limits));
  }
  if (produced > maxUnpackedBytes(zip.fileSize, limits)) {
    report('', archiveIssues.bomb);
  }
  return members;
}

interface EntryRecord extends ZipRecord {
  entry: Entry;
}

function recordOf(entry: Entry): EntryRecord {
  return {
    rawName: entry.fileNameRaw,
    flags: entry.generalPurposeBitFlag,
    method: entry.compressionMethod,
    crc: entry.crc32,
    compressedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    mode: entry.externalFileAttributes >>> 16,
    offset: entry.relativeOffsetOfLocalHeader,
    entry,
  };
}

interface Directory {
  zip: ZipFile;
  file: FileHandle;
  records: EntryRecord[];
  /** Start and end of the directory. */
  start: number;
  end: number;
}

const endBytes = 22;
/** Two records that precede the end record in the 64-bit format. */
const longEndBytes = 56 + 20;

async function checkLayout(directory: Directory, report: ReportIssue): Promise<void> {
  const { zip, file, records, start, end } = directory;
  const read = async (from: number, upTo: number) => {
    const length = Math.max(0, upTo - from);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  };
  await locateRecords({ records, directory: start, is64: true, read }, report);
  const after = zip.fileSize - endBytes - zip.comment.length - end;
  if (after !== 0 && after !== longEndBytes) {
    report('', faults.afterEnd);
  }
}

/** Offset of the next record in the file; missing in the library's types. */
function cursorOf(zip: ZipFile): number {
  return zip.readEntryCursor as unknown as number;
}

/** Empty for a folder, and for entries with a reported issue. */
function memberOf(record: EntryRecord, report: ReportIssue, limits: ZipLimits): ZipMember[] {
  const name = zipName(record);
  const kind = kindOfRecord(record, name);
  const fault = typeof kind === 'string' ? faultOfMember(record, { name, kind }, limits) : kind;
  if (fault) {
    report(name, fault);
  }
  if (fault || kind !== 'file') {
    return [];
  }
  const { size, crc, entry } = record;
  return [{ name: plain(name), size, crc, executable: isExecutable(record), entry }];
}

function faultOfMember(
  { size }: EntryRecord,
  { name, kind }: { name: string; kind: ZipKind },
  limits: ZipLimits,
): ArchiveIssue | undefined {
  if (kind === 'link') {
    return faults.link;
  }
  const max = limits.fileBytesOf(name);
  return size > max ? fileTooLarge(max) : undefined;
}

/** Some tools prefix every name with `./`. */
function plain(name: string): string {
  return name.replace(/^(?:\.\/)+/, '');
}
