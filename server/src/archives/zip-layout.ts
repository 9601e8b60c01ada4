import type { Fault, Report } from './unpack-faults.ts';
import { zipName } from './zip-name.ts';
import type { LocatedRecord, ZipRecord } from './zip-record.ts';

interface Layout {
  records: readonly ZipRecord[];
  /** Where the directory begins. */
  directory: number;
}

const headerSignature = 0x04034b50;
const headerBytes = 30;
const descriptorSignature = 0x08074b50;
const descriptorFlag = 0x0008;
/** How hard it was compressed; nothing reads that. */
const ignoredFlags = 0x0006;

/**
 * Finds the data of each entry. The entries have to fill the zip up to its directory without a gap or
 * an overlap, each with a header of its own that says the same as the directory; undefined once it
 * has been reported where they do not.
 */
export function locateRecords(
  bytes: Buffer,
  { records, directory }: Layout,
  report: Report,
): LocatedRecord[] | undefined {
  const sorted = [...records].sort((one, other) => one.offset - other.offset);
  const located: LocatedRecord[] = [];
  let expected = 0;
  for (const [index, record] of sorted.entries()) {
    const next = sorted[index + 1]?.offset ?? directory;
    const start = startOfData(bytes.subarray(0, directory), record);
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
      located.push({ ...record, data: bytes.subarray(start, end) });
    }
    expected = end + descriptorBytes(bytes.subarray(end, next), record);
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
  noHeader: { code: 'damaged', message: 'The entry has no header of its own where it should be.' },
  otherName: {
    code: 'header-mismatch',
    message: 'The entry has another name in its own header than in the directory.',
  },
  otherData: {
    code: 'header-mismatch',
    message: "The entry's own header and the directory do not agree on what it holds.",
  },
};

/** Where the data of an entry begin, or what is wrong with the header before it. */
function startOfData(bytes: Buffer, record: ZipRecord): number | Fault {
  const { offset, rawName, flags } = record;
  const name = offset + headerBytes;
  if (name > bytes.length || bytes.readUInt32LE(offset) !== headerSignature) {
    return faults.noHeader;
  }
  const nameEnd = name + bytes.readUInt16LE(offset + 26);
  if (!bytes.subarray(name, nameEnd).equals(rawName)) {
    return faults.otherName;
  }
  const isOther =
    (bytes.readUInt16LE(offset + 6) & ~ignoredFlags) !== (flags & ~ignoredFlags) ||
    bytes.readUInt16LE(offset + 8) !== record.method ||
    !agrees(bytes.subarray(offset + 14, offset + 26), record);
  return isOther ? faults.otherData : nameEnd + bytes.readUInt16LE(offset + 28);
}

/** Who writes a descriptor after the data leaves zeros in front of them. */
function agrees(values: Buffer, { crc, compressedSize, size, flags }: ZipRecord): boolean {
  return [crc, compressedSize, size].every((value, index) => {
    const own = values.readUInt32LE(4 * index);
    return own === value || (own === 0 && (flags & descriptorFlag) !== 0);
  });
}

/** @param rest what follows the data, up to the next entry */
function descriptorBytes(rest: Buffer, { flags, crc, compressedSize, size }: ZipRecord): number {
  if (!(flags & descriptorFlag)) {
    return 0;
  }
  const descriptor = Buffer.alloc(16);
  for (const [index, value] of [descriptorSignature, crc, compressedSize, size].entries()) {
    descriptor.writeUInt32LE(value, 4 * index);
  }
  const isThere = [descriptor, descriptor.subarray(4)].some((form) => form.equals(rest));
  return isThere ? rest.length : 0;
}
