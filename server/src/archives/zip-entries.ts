import { crc32, inflateRawSync } from 'node:zlib';
import type { UnpackEntry } from './unpack-entry.ts';
import { type Fault, fileTooLarge, type Report, unpackFaults } from './unpack-faults.ts';
import { archiveLimits, mostProduced, type SizeLimits } from './unpack-limits.ts';
import { readZipDirectory } from './zip-directory.ts';
import { zipName } from './zip-name.ts';
import type { LocatedRecord } from './zip-record.ts';

interface Budget {
  /** How many bytes may still come out of the archive. */
  left: number;
  /** How many may come out of one entry. */
  fileBytes: number;
}

type Kind = UnpackEntry['kind'];

/** Of the data, of strong encryption, and of a hidden directory. */
const encryptedFlags = 0x2041;
const stored = 0;
const deflated = 8;
/** By the type of a file as Unix has it; none means a file. */
const kinds: ReadonlyMap<number, Kind> = new Map([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
]);

/** The entries of a zip; what is wrong with it, or with one of them, is reported. */
export function zipEntries(
  bytes: Buffer,
  { fileBytes }: SizeLimits,
  report: Report,
): UnpackEntry[] {
  const budget: Budget = { left: archiveLimits.producedBytes, fileBytes };
  return (readZipDirectory(bytes, report) ?? []).flatMap((record) => {
    const name = zipName(record);
    const kind = kindOf(record, name);
    const fault = faultOf(record, kind);
    if (fault || !kind) {
      report(name, fault ?? unpackFaults.special);
      return [];
    }
    const read = () => {
      const content = unpack(record, budget);
      if (content instanceof Uint8Array) {
        return content;
      }
      report(content === unpackFaults.tooMuch ? '' : name, content);
      return undefined;
    };
    return entryOf({ name, kind, record }, read);
  });
}

function kindOf({ mode, size }: LocatedRecord, name: string): Kind | undefined {
  const kind = kinds.get(mode & 0o170000);
  if (!name.endsWith('/')) {
    return kind === 'folder' ? undefined : kind;
  }
  return kind && kind !== 'link' && size === 0 ? 'folder' : undefined;
}

function faultOf(record: LocatedRecord, kind: Kind | undefined): Fault | undefined {
  if (record.flags & encryptedFlags) {
    return { code: 'encrypted', message: 'The entry is encrypted. Pack it without a password.' };
  }
  if (record.method !== stored && record.method !== deflated) {
    const message = `The entry is compressed by method ${record.method}. Pack it as a plain zip.`;
    return { code: 'compression', message };
  }
  if (!kind) {
    return unpackFaults.special;
  }
  return record.size > mostProduced(record.compressedSize) ? unpackFaults.bomb : undefined;
}

function entryOf(
  { name, kind, record }: { name: string; kind: Kind; record: LocatedRecord },
  read: () => Uint8Array | undefined,
): UnpackEntry[] {
  if (kind === 'folder') {
    return [{ name, kind }];
  }
  if (kind === 'file') {
    return [{ name, kind, executable: (record.mode & 0o111) !== 0, size: record.size, read }];
  }
  const target = read();
  return target ? [{ name, kind, target: Buffer.from(target).toString(), isHard: false }] : [];
}

/** Never more comes into memory than one file may have, whatever the headers say. */
function unpack(record: LocatedRecord, budget: Budget): Uint8Array | Fault {
  const { data, size, method } = record;
  if (size > budget.left) {
    return unpackFaults.tooMuch;
  }
  const content = method === stored ? data : inflate(data, budget.fileBytes);
  if (!(content instanceof Uint8Array)) {
    return content;
  }
  budget.left -= content.length;
  if (content.length !== size) {
    return unpackFaults.size;
  }
  return crc32(content) === record.crc ? content : unpackFaults.checksum;
}

function inflate(data: Buffer, fileBytes: number): Buffer | Fault {
  const most = mostProduced(data.length);
  const maxOutputLength = Math.min(most, fileBytes);
  try {
    // Typed as if it gave the bytes alone.
    const { buffer, engine } = inflateRawSync(data, { maxOutputLength, info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return engine.bytesWritten === data.length ? buffer : unpackFaults.damaged;
  } catch (error) {
    const isTooMuch =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (!isTooMuch) {
      return unpackFaults.damaged;
    }
    return most < fileBytes ? unpackFaults.bomb : fileTooLarge(fileBytes);
  }
}
