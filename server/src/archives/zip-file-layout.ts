import type { FileHandle } from 'node:fs/promises';
import type { Entry, LocalFileHeader, ZipFile } from 'yauzl';
import type { Fault, Report } from './unpack-faults.ts';
import { zipName } from './zip-name.ts';

interface Layout {
  zip: ZipFile;
  file: FileHandle;
  entries: readonly Entry[];
  /** Where the directory begins and ends. */
  start: number;
  end: number;
}

const endBytes = 22;
/** The two records that larger archives have before the end. */
const longEndBytes = 56 + 20;
const descriptorSignature = 0x08074b50;
const descriptorFlag = 0x0008;
/** How hard it was compressed; nothing reads that. */
const ignoredFlags = 0x0006;
const inLongForm = 0xffffffff;

/**
 * Reports what another reader of the zip could see otherwise: the entries have to fill it up to its
 * directory without a gap or an overlap, each with a header of its own that says the same as the
 * directory, and nothing may follow that.
 */
export async function checkZipLayout(layout: Layout, report: Report): Promise<void> {
  const { zip, entries, start, end } = layout;
  const sorted = [...entries].sort(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  );
  let expected = 0;
  for (const [index, entry] of sorted.entries()) {
    const next = sorted[index + 1]?.relativeOffsetOfLocalHeader ?? start;
    const offset = entry.relativeOffsetOfLocalHeader;
    const found = await endOfData(layout, entry, next);
    const fault =
      (offset > expected && faults.gap) || (offset < expected && faults.overlap) || undefined;
    if (fault || typeof found !== 'number') {
      report(nameOf(entry), fault ?? (found as Fault));
    }
    expected = typeof found === 'number' ? found : next;
  }
  const after = zip.fileSize - endBytes - zip.comment.length - end;
  if (expected !== start || (after !== 0 && after !== longEndBytes)) {
    report('', faults.gap);
  }
}

const faults = {
  overlap: { code: 'overlap', message: 'The entry takes bytes that belong to another one.' },
  gap: { code: 'hidden-data', message: 'There is data in the archive that belongs to no entry.' },
  noHeader: { code: 'damaged', message: 'The entry has no header of its own where it should be.' },
  mismatch: {
    code: 'header-mismatch',
    message: "The entry's own header and the directory do not agree.",
  },
} satisfies Record<string, Fault>;

function nameOf({ fileNameRaw: rawName, generalPurposeBitFlag: flags }: Entry): string {
  return zipName({ rawName, flags });
}

/** Where an entry ends, with what follows its data; or what is wrong with it. */
async function endOfData(
  { zip, file }: Layout,
  entry: Entry,
  next: number,
): Promise<number | Fault> {
  let header: LocalFileHeader;
  try {
    header = await zip.readLocalFileHeaderPromise(entry);
  } catch {
    return faults.noHeader;
  }
  if (!agrees(header, entry)) {
    return faults.mismatch;
  }
  const end = header.fileDataStart + entry.compressedSize;
  if (end > next) {
    return faults.overlap;
  }
  return end + (await descriptorBytes(file, entry, { end, next }));
}

function agrees(header: LocalFileHeader, entry: Entry): boolean {
  const flags = header.generalPurposeBitFlag ^ entry.generalPurposeBitFlag;
  const values: [own: number, value: number][] = [
    [header.crc32, entry.crc32],
    [header.compressedSize, entry.compressedSize],
    [header.uncompressedSize, entry.uncompressedSize],
  ];
  return (
    header.fileName.equals(entry.fileNameRaw) &&
    (flags & ~ignoredFlags) === 0 &&
    header.compressionMethod === entry.compressionMethod &&
    // Who writes a descriptor after the data leaves zeros in front of them.
    values.every(
      ([own, value]) =>
        own === value ||
        own === inLongForm ||
        (own === 0 && (entry.generalPurposeBitFlag & descriptorFlag) !== 0),
    )
  );
}

/** The size of the record that may follow the data, up to the next entry. */
async function descriptorBytes(
  file: FileHandle,
  entry: Entry,
  { end, next }: { end: number; next: number },
): Promise<number> {
  const length = next - end;
  if (!(entry.generalPurposeBitFlag & descriptorFlag) || length < 12 || length > 24) {
    return 0;
  }
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, end);
  return descriptors(entry).some((form) => form.equals(buffer)) ? length : 0;
}

/** With and without a signature, with sizes in the short and in the long form. */
function descriptors({ crc32, compressedSize, uncompressedSize }: Entry): Buffer[] {
  const long = Buffer.alloc(24);
  long.writeUInt32LE(descriptorSignature, 0);
  long.writeUInt32LE(crc32, 4);
  long.writeBigUInt64LE(BigInt(compressedSize), 8);
  long.writeBigUInt64LE(BigInt(uncompressedSize), 16);
  const short = Buffer.concat([long.subarray(0, 12), long.subarray(16, 20)]);
  return [long, short].flatMap((form) => [form, form.subarray(4)]);
}
