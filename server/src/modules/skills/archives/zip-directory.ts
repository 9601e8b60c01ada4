import { type ArchiveIssue, archiveIssues, type ReportIssue } from './unpack-faults.ts';
import { archiveLimits } from './unpack-limits.ts';
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

/**
 * Reads the directory of a zip strictly, so that no other reader sees different content: it ends at
 * the end of the file, every byte before it belongs to one entry, and both headers of an entry
 * agree. Undefined after an issue has been reported.
 */
export async function readZipDirectory(
  bytes: Buffer,
  report: ReportIssue,
): Promise<LocatedRecord<ZipRecord>[] | undefined> {
  const end = findZipEnd(bytes);
  if (end === undefined) {
    report('', faults.noDirectory);
    return undefined;
  }
  const directory = bytes.readUInt32LE(end + 16);
  const fault = faultOfEnd(bytes, end);
  const records = fault
    ? undefined
    : readRecords(bytes.subarray(directory, end), bytes.readUInt16LE(end + 10));
  if (!records) {
    report('', fault ?? faults.damaged);
    return undefined;
  }
  const read = async (start: number, upTo: number) => bytes.subarray(start, upTo);
  return locateRecords({ records, directory, is64: false, read }, report);
}

/** Offset of the end record of a zip, if the file ends with it and its comment. */
export function findZipEnd(bytes: Buffer): number | undefined {
  const first = Math.max(0, bytes.length - endBytes - maxComment);
  for (let at = bytes.length - endBytes; at >= first; at -= 1) {
    if (bytes.readUInt32LE(at) === endSignature) {
      return at + endBytes + bytes.readUInt16LE(at + 20) === bytes.length ? at : undefined;
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
  split: { code: 'split', message: 'The zip is one part of several. Join them first.' },
} satisfies Record<string, ArchiveIssue>;

function faultOfEnd(bytes: Buffer, end: number): ArchiveIssue | undefined {
  const entries = bytes.readUInt16LE(end + 10);
  // 65535 may also mean that the number is stored elsewhere; then it is large as well.
  if (entries > archiveLimits.entries) {
    return archiveIssues.tooManyEntries;
  }
  if (bytes.readUInt32LE(end + 4) !== 0 || bytes.readUInt16LE(end + 8) !== entries) {
    return faults.split;
  }
  const locator = end - locatorBytes;
  if (locator >= 0 && bytes.readUInt32LE(locator) === locatorSignature) {
    return faults.large;
  }
  const expected = bytes.readUInt32LE(end + 16) + bytes.readUInt32LE(end + 12);
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
