import { type ArchiveIssue, archiveIssues } from './unpack-faults.ts';

/** A record of a zip's central directory, not validated. */
export interface ZipRecord {
  rawName: Buffer;
  flags: number;
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
  /** Unix file type and permissions; 0 if unknown. */
  mode: number;
  /** Offset of its local header. */
  offset: number;
}

export type ZipKind = 'file' | 'folder' | 'link';

export const methodStored = 0;
const methodDeflated = 8;
/** Flags for encrypted data, strong encryption, and an encrypted directory. */
const encryptedFlags = 0x2041;
/** By Unix file type; none means a regular file. */
const kinds: ReadonlyMap<number, ZipKind> = new Map([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
]);

/** The kind of a record, or why it is not accepted. */
export function kindOfRecord(record: ZipRecord, name: string): ZipKind | ArchiveIssue {
  const { flags, method } = record;
  if (flags & encryptedFlags) {
    return { code: 'encrypted', message: 'The entry is encrypted. Pack it without a password.' };
  }
  if (method !== methodStored && method !== methodDeflated) {
    const message = `The entry is compressed by method ${method}. Pack it as a plain zip.`;
    return { code: 'compression', message };
  }
  return typeOf(record, name) ?? archiveIssues.special;
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
