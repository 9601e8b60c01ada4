import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type Entry, fromFd, type Options, type ZipFile } from 'yauzl';
import { notReadable } from '../lib/not-readable.ts';
import { type Fault, type Report, unpackFaults } from './unpack-faults.ts';
import { checkZipLayout } from './zip-file-layout.ts';
import { zipName } from './zip-name.ts';

/** A zip whose directory has been checked; what its files hold has not. */
export interface OpenZip {
  members: ZipMember[];
  /** The content of one. Fails when it is damaged or has another size than the directory says. */
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

/** What a zip may hold. Sizes in bytes, unpacked. */
export interface ZipLimits {
  entries: number;
  /** Of one file, by its name. */
  fileBytes(name: string): number;
  /** Of all files together. */
  producedBytes: number;
  /** Of all files together, by the size of the zip. */
  mostProduced(compressedBytes: number): number;
}

/** Opens a zip; what is wrong with it is reported. Throws a problem when it cannot be read. */
export async function openZipFile(
  path: string,
  report: Report,
  limits: ZipLimits,
): Promise<OpenZip> {
  const file = await open(path).catch((error: unknown) => {
    throw notReadable(error, path);
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
      'It is no zip, or one without its directory at the end: cut off, or with something added.',
  },
  damaged: { code: 'damaged', message: 'The directory of the zip is damaged.' },
  encrypted: {
    code: 'encrypted',
    message: 'The entry is encrypted. Pack it without a password.',
  },
  link: { code: 'link', message: 'The entry is a symbolic link; only files are taken.' },
  fileTooLarge: (most: number) => ({
    code: 'file-too-large',
    message: `The file is larger than ${most} bytes.`,
  }),
  tooManyEntries: (most: number) => ({
    code: 'too-many-entries',
    message: `The archive has more than ${most} entries.`,
  }),
  tooMuch: (most: number) => ({
    code: 'too-large',
    message: `The archive holds more than ${most} bytes.`,
  }),
} satisfies Record<string, Fault | ((most: number) => Fault)>;

function faultOfError(error: unknown, zip: ZipFile | undefined): Fault {
  if (!zip) {
    return faults.truncated;
  }
  const isEncrypted = error instanceof Error && error.message.startsWith('strong encryption');
  return isEncrypted ? faults.encrypted : faults.damaged;
}

async function readDirectory(
  { zip, file }: { zip: ZipFile; file: FileHandle },
  report: Report,
  limits: ZipLimits,
): Promise<ZipMember[]> {
  if (zip.entryCount > limits.entries) {
    report('', faults.tooManyEntries(limits.entries));
    return [];
  }
  const start = cursorOf(zip);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
  }
  await checkZipLayout({ zip, file, entries, start, end: cursorOf(zip) }, report);
  const members = entries.flatMap((entry) => memberOf(entry, report, limits));
  const produced = members.reduce((sum, { size }) => sum + size, 0);
  if (produced > limits.producedBytes) {
    report('', faults.tooMuch(limits.producedBytes));
  }
  if (produced > limits.mostProduced(zip.fileSize)) {
    report('', unpackFaults.bomb);
  }
  return members;
}

/** Where in the file the next record is read; typed as something else. */
function cursorOf(zip: ZipFile): number {
  return zip.readEntryCursor as unknown as number;
}

const fileTypes = 0o170000;
const regularFile = 0o100000;
const folder = 0o040000;
const link = 0o120000;
/** Deflated or not compressed. */
const methods = [0, 8];

/** Nothing for a folder, and for what has been reported. */
function memberOf(entry: Entry, report: Report, limits: ZipLimits): ZipMember[] {
  const { fileNameRaw: rawName } = entry;
  const name = zipName({ rawName, flags: entry.generalPurposeBitFlag });
  const mode = entry.externalFileAttributes >>> 16;
  const type = mode & fileTypes;
  const isFolder = name.endsWith('/');
  const fault = faultOfEntry(entry, { name, type, isFolder }, limits);
  if (fault) {
    report(name, fault);
  }
  if (fault || isFolder) {
    return [];
  }
  const { uncompressedSize: size, crc32: crc } = entry;
  return [{ name: plain(name), size, crc, executable: (mode & 0o111) !== 0, entry }];
}

function faultOfEntry(
  entry: Entry,
  { name, type, isFolder }: { name: string; type: number; isFolder: boolean },
  limits: ZipLimits,
): Fault | undefined {
  const { uncompressedSize: size, compressionMethod: method } = entry;
  if (entry.isEncrypted()) {
    return faults.encrypted;
  }
  if (type === link) {
    return faults.link;
  }
  if (!(type === 0 || type === (isFolder ? folder : regularFile)) || (isFolder && size > 0)) {
    return unpackFaults.special;
  }
  if (!methods.includes(method)) {
    const message = `The entry is compressed by method ${method}. Pack it as a plain zip.`;
    return { code: 'compression', message };
  }
  const most = limits.fileBytes(name);
  return size > most ? faults.fileTooLarge(most) : undefined;
}

/** Some write every name with `./` in front. */
function plain(name: string): string {
  return name.replace(/^(?:\.\/)+/, '');
}
