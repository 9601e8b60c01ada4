import type { ArchiveIssue, ReportIssue } from './unpack-faults.ts';
import { zipName } from './zip-name.ts';
import type { ZipRecord } from './zip-record.ts';

interface Layout<Record extends ZipRecord> {
  records: readonly Record[];
  /** Offset of the directory. */
  directory: number;
  /** Whether the 64-bit format is allowed, which stores sizes elsewhere, too. */
  is64: boolean;
  /** The bytes of the zip between two offsets. */
  read(start: number, end: number): Promise<Buffer>;
}

/** A record with the range of its compressed data. */
export interface LocatedRecord<Record extends ZipRecord> {
  record: Record;
  start: number;
  end: number;
}

const headerSignature = 0x04034b50;
const headerBytes = 30;
const descriptorSignature = 0x08074b50;
const descriptorFlag = 0x0008;
/** Compression level, which readers ignore. */
const ignoredFlags = 0x0006;
const inLongForm = 0xffffffff;

/**
 * Finds the data of each entry. Entries must fill the zip up to its directory without gaps or
 * overlaps, each with a local header that agrees with the directory, so that no other reader sees
 * different content. Undefined after an issue has been reported.
 */
export async function locateRecords<Record extends ZipRecord>(
  layout: Layout<Record>,
  report: ReportIssue,
): Promise<LocatedRecord<Record>[] | undefined> {
  const { records, directory } = layout;
  const sorted = [...records].sort((one, other) => one.offset - other.offset);
  const located: LocatedRecord<Record>[] = [];
  let expected = 0;
  for (const [index, record] of sorted.entries()) {
    const next = sorted[index + 1]?.offset ?? directory;
    const start = await startOfData(layout, record);
    if (typeof start !== 'number') {
      report(zipName(record), start);
      expected = next;
      continue;
    }
    const end = start + record.compressedSize;
    const gap = record.offset > expected && faults.gap(expected);
    if (gap || record.offset < expected || end > next) {
      report(zipName(record), gap || faults.overlap);
    } else {
      located.push({ record, start, end });
    }
    expected = end + (await descriptorBytes(layout, record, { end, next }));
  }
  if (located.length < records.length) {
    return undefined;
  }
  if (expected !== directory) {
    report('', faults.gap(expected));
    return undefined;
  }
  return located;
}

const faults = {
  overlap: { code: 'overlap', message: 'The entry takes bytes that belong to another one.' },
  gap: (start: number) => ({
    code: 'hidden-data',
    message: `At byte ${start} of the archive there is data that belongs to no entry.`,
  }),
  noHeader: { code: 'damaged', message: 'The header of the entry is missing.' },
  otherName: {
    code: 'header-mismatch',
    message: 'The entry has another name in its own header than in the directory.',
  },
  otherData: {
    code: 'header-mismatch',
    message: 'The header of the entry and the directory disagree about its content.',
  },
};

/** Start of an entry's data, or an issue of its local header. */
async function startOfData(
  { directory, is64, read }: Layout<ZipRecord>,
  record: ZipRecord,
): Promise<number | ArchiveIssue> {
  const { offset, rawName, flags } = record;
  const nameEnd = headerBytes + rawName.length;
  const header = await read(offset, Math.min(offset + nameEnd, directory));
  if (header.length < headerBytes || header.readUInt32LE(0) !== headerSignature) {
    return faults.noHeader;
  }
  if (header.readUInt16LE(26) !== rawName.length || !header.subarray(headerBytes).equals(rawName)) {
    return faults.otherName;
  }
  const isOther =
    (header.readUInt16LE(6) & ~ignoredFlags) !== (flags & ~ignoredFlags) ||
    header.readUInt16LE(8) !== record.method ||
    !agrees(header.subarray(14, 26), record, is64);
  return isOther ? faults.otherData : offset + nameEnd + header.readUInt16LE(28);
}

/** With a descriptor after the data, the values in the header are zero. */
function agrees(
  values: Buffer,
  { crc, compressedSize, size, flags }: ZipRecord,
  is64: boolean,
): boolean {
  return [crc, compressedSize, size].every((value, index) => {
    const own = values.readUInt32LE(4 * index);
    return (
      own === value ||
      (own === 0 && (flags & descriptorFlag) !== 0) ||
      (own === inLongForm && is64 && index > 0)
    );
  });
}

/** Size of the optional descriptor between the data and the next entry. */
async function descriptorBytes(
  { is64, read }: Layout<ZipRecord>,
  record: ZipRecord,
  { end, next }: { end: number; next: number },
): Promise<number> {
  const length = next - end;
  if (!(record.flags & descriptorFlag) || length < 12 || length > 24) {
    return 0;
  }
  const found = await read(end, next);
  return descriptors(record, is64).some((form) => form.equals(found)) ? length : 0;
}

/** With and without a signature, with 32-bit and 64-bit sizes. */
function descriptors({ crc, compressedSize, size }: ZipRecord, is64: boolean): Buffer[] {
  const long = Buffer.alloc(24);
  long.writeUInt32LE(descriptorSignature, 0);
  long.writeUInt32LE(crc, 4);
  long.writeBigUInt64LE(BigInt(compressedSize), 8);
  long.writeBigUInt64LE(BigInt(size), 16);
  const short = Buffer.concat([long.subarray(0, 12), long.subarray(16, 20)]);
  return (is64 ? [long, short] : [short]).flatMap((form) => [form, form.subarray(4)]);
}
