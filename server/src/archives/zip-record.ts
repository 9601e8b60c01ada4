import { type Fault, unpackFaults } from './unpack-faults.ts';

/** One record of a zip's central directory; nothing in it has been judged. */
export interface ZipRecord {
  rawName: Buffer;
  flags: number;
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
  /** Type and permissions as Unix has them; 0 when not known. */
  mode: number;
  /** Where its local header begins. */
  offset: number;
}

export type ZipKind = 'file' | 'folder' | 'link';

export const methodStored = 0;
const methodDeflated = 8;
/** Of the data, of strong encryption, and of a hidden directory. */
const encryptedFlags = 0x2041;
/** By the type of a file as Unix has it; none means a file. */
const kinds: ReadonlyMap<number, ZipKind> = new Map([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
]);

/** What a record is of; or why that cannot be taken, whatever it holds. */
export function kindOfRecord(record: ZipRecord, name: string): ZipKind | Fault {
  const { flags, method } = record;
  if (flags & encryptedFlags) {
    return { code: 'encrypted', message: 'The entry is encrypted. Pack it without a password.' };
  }
  if (method !== methodStored && method !== methodDeflated) {
    const message = `The entry is compressed by method ${method}. Pack it as a plain zip.`;
    return { code: 'compression', message };
  }
  return typeOf(record, name) ?? unpackFaults.special;
}

function typeOf({ mode, size }: ZipRecord, name: string): ZipKind | undefined {
  const kind = kinds.get(mode & 0o170000);
  if (!name.endsWith('/')) {
    return kind === 'folder' ? undefined : kind;
  }
  return kind && kind !== 'link' && size === 0 ? 'folder' : undefined;
}

export function isExecutable({ mode }: ZipRecord): boolean {
  return (mode & 0o111) !== 0;
}
