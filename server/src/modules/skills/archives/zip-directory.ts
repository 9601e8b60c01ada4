import type { ArchiveBytes } from './archive-bytes.ts';
import { type ArchiveIssue, type ReportIssue, tooManyEntries } from './unpack-faults.ts';
import { type ArchiveLimits, inMebibytes } from './unpack-limits.ts';
import { type LocatedRecord, locateRecords } from './zip-layout.ts';
import type { ZipRecord } from './zip-record.ts';

const endSignature = 0x06054b50;
const endBytes = 22;
/** In the 64-bit format, immediately before the end record. */
const locatorSignature = 0x07064b50;
const locatorBytes = 20;
const recordSignature = 0x02014b50;
const recordBytes = 46;
const maxComment = 0xffff;
/** The directory is in memory. */
const maxDirectoryBytes = 32 * 1024 * 1024;

/**
 * Reads the directory of a zip strictly, so that no other reader sees different content: it ends at
 * the end of the file, every byte before it belongs to one entry, and both headers of an entry
 * agree. Undefined after an issue has been reported.
 */
export async function readZipDirectory(
  bytes: ArchiveBytes,
  limits: ArchiveLimits,
  report: ReportIssue,
): Promise<LocatedRecord<ZipRecord>[] | undefined> {
  const end = findZipEnd(bytes);
  if (end === undefined) {
    report('', faults.noDirectory);
    return undefined;
  }
  const record = bytes.read(end, bytes.length);
  const directory = record.readUInt32LE(16);
  const fault = faultOfEnd(bytes, { end, record, limits });
  const records = fault
    ? undefined
    : readRecords(bytes.read(directory, end), record.readUInt16LE(10));
  if (!records) {
    report('', fault ?? faults.damaged);
    return undefined;
  }
  const read = async (start: number, upTo: number) => bytes.read(start, upTo);
  return locateRecords({ records, directory, is64: false, read }, report);
}

/** Offset of the end record of a zip, if the file ends with it and its comment. */
export function findZipEnd({ length, read }: ArchiveBytes): number | undefined {
  const first = Math.max(0, length - endBytes - maxComment);
  const tail = read(first, length);
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) === endSignature) {
      const isLast = at + endBytes + tail.readUInt16LE(at + 20) === tail.length;
      return isLast ? first + at : undefined;
    }
  }
  return undefined;
}

const faults = {
  noDirectory: {
    code: 'truncated',
    message: 'The zip has no directory at its end: it was cut off, or something was added to it.',
  },
  damaged: { code: 'damaged', message: 'The directory of the zip is damaged.' },
  inFront: { code: 'hidden-data', message: 'There is something else in front of the zip.' },
  large: {
    code: 'zip64',
    message: 'The zip is in the 64-bit format, for large archives. Pack it as a plain zip.',
  },
  directory: {
    code: 'too-large',
    message: `The directory of the zip is larger than ${inMebibytes(maxDirectoryBytes)}.`,
  },
  split: { code: 'split', message: 'The zip is one part of several. Join them first.' },
} satisfies Record<string, ArchiveIssue>;

interface ZipEnd {
  /** Offset of the end record. */
  end: number;
  record: Buffer;
  limits: ArchiveLimits;
}

function faultOfEnd({ read }: ArchiveBytes, zip: ZipEnd): ArchiveIssue | undefined {
  const { end, record, limits } = zip;
  const entries = record.readUInt16LE(10);
  // 65535 may also mean that the number is stored elsewhere; then it is large as well.
  if (entries > limits.entries) {
    return tooManyEntries(limits);
  }
  if (record.readUInt32LE(4) !== 0 || record.readUInt16LE(8) !== entries) {
    return faults.split;
  }
  const locator = end - locatorBytes;
  if (locator >= 0 && read(locator, end).readUInt32LE(0) === locatorSignature) {
    return faults.large;
  }
  const size = record.readUInt32LE(12);
  if (size > maxDirectoryBytes) {
    return faults.directory;
  }
  const expected = record.readUInt32LE(16) + size;
  if (expected === end) {
    return undefined;
  }
  return expected < end ? faults.inFront : faults.damaged;
}

/** Undefined if the records do not fill the directory exactly. */
function readRecords(directory: Buffer, count: number): ZipRecord[] | undefined {
  const records: ZipRecord[] = [];
  let at = 0;
  while (records.length < count) {
    if (at + recordBytes > directory.length || directory.readUInt32LE(at) !== recordSignature) {
      return undefined;
    }
    const name = at + recordBytes;
    const nameBytes = directory.readUInt16LE(at + 28);
    const moreBytes = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    records.push({
      rawName: directory.subarray(name, name + nameBytes),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      compressedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      mode: directory.readUInt32LE(at + 38) >>> 16,
      offset: directory.readUInt32LE(at + 42),
    });
    at = name + nameBytes + moreBytes;
  }
  return at === directory.length ? records : undefined;
}
