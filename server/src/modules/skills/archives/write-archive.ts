import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import type { PackedFile } from '@knowhow/skill-format';
import AdmZip from 'adm-zip';
import { Header } from 'tar/header';
import { Pax } from 'tar/pax';
import { portableSkill } from './portable-skill.ts';
import { maxUnpackedBytes } from './unpack-limits.ts';

export type ArchiveFormat = 'zip' | 'tar.gz' | 'json';

const writers: Record<
  ArchiveFormat,
  (folder: string, files: readonly PackedFile[], displayName?: string) => Promise<Buffer>
> = {
  zip: (folder, files) => writeZip(folder, files),
  'tar.gz': writeTar,
  json: async (folder, files, displayName) =>
    Buffer.from(`${JSON.stringify(portableSkill(folder, files, displayName), null, 2)}\n`),
};

/**
 * Packs a skill as an archive with one top folder. The result is reproducible, except for the date
 * in the portable JSON.
 *
 * @param folder name of the top folder; '' puts the files of a `tar.gz` at the top
 * @param displayName a display name that differs from `SKILL.md`; only in the portable JSON
 */
export function writeArchive(
  folder: string,
  files: readonly PackedFile[],
  format: ArchiveFormat,
  displayName?: string,
): Promise<Buffer> {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  return writers[format](folder, sorted, displayName);
}

/** The earliest date in a zip, which has no time zones. */
const zipTime = new Date(1980, 0, 1);
/** Created on Unix, by version 2.0 of the format. */
const madeOnUnix = 0x0314;
const methodStored = 0;
/** The library needs some milliseconds for the checksums of this many bytes. */
const bytesPerSlice = 1024 * 1024;

/** @param stored files that are not compressed, because a reader would take them for a zip bomb */
async function writeZip(
  folder: string,
  files: readonly PackedFile[],
  stored: readonly PackedFile[] = [],
): Promise<Buffer> {
  const zip = new AdmZip(undefined, { noSort: true });
  const headers: Pick<AdmZip.IZipEntry['header'], 'size' | 'compressedSize'>[] = [];
  let sinceYield = 0;
  for (const file of files) {
    const name = `${folder}/${file.path}`;
    const { header } = zip.addFile(name, asBuffer(file.bytes), '', modeOf(file.executable));
    header.time = zipTime;
    header.made = madeOnUnix;
    if (stored.includes(file)) {
      header.method = methodStored;
    }
    headers.push(header);
    sinceYield += file.bytes.length;
    if (sinceYield > bytesPerSlice) {
      sinceYield = 0;
      await yieldToEventLoop();
    }
  }
  const bytes = await zip.toBufferPromise();
  const bombs = files.filter((_, index) => {
    const { size = 0, compressedSize = 0 } = headers[index] ?? {};
    return size > maxUnpackedBytes(compressedSize);
  });
  return bombs.length === 0 ? bytes : writeZip(folder, files, bombs);
}

const compress = promisify<Buffer, ZlibOptions, Buffer>(gzip);
const tarBlock = 512;
const tarTime = new Date(0);

async function writeTar(folder: string, files: readonly PackedFile[]): Promise<Buffer> {
  const parts = files.flatMap(({ path, bytes, executable }) => [
    ...tarHeaders(folder === '' ? path : `${folder}/${path}`, bytes.length, executable),
    bytes,
    Buffer.alloc(-bytes.length & (tarBlock - 1)),
  ]);
  const tar = Buffer.concat([...parts, Buffer.alloc(2 * tarBlock)]);
  const packed = await compress(tar, {});
  return tar.length > maxUnpackedBytes(packed.length) ? compress(tar, { level: 0 }) : packed;
}

/** Writes an extended header for a long or non-ASCII name. */
function tarHeaders(path: string, size: number, executable: boolean): Buffer[] {
  const fields = { path, size, mode: modeOf(executable), uid: 0, gid: 0, mtime: tarTime };
  const block = Buffer.alloc(tarBlock);
  const header = new Header({ ...fields, type: 'File' });
  return header.encode(block) ? [new Pax({ path, mtime: tarTime }).encode(), block] : [block];
}

function modeOf(executable: boolean): number {
  return executable ? 0o755 : 0o644;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
