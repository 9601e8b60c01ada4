import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { errorCode } from '../lib/error-code.ts';
import { newestMigration } from '../storage/migrations.ts';
import type { Database } from '../storage/open-database.ts';
import { isConfigurationJson } from './backup-paths.ts';
import { dataPath, dataTables } from './data-tables.ts';
import { exportTable } from './export-data.ts';
import type { LeftOut, TreeFile } from './list-tree.ts';
import {
  type Manifest,
  type ManifestFile,
  manifestFormat,
  manifestPath,
  manifestText,
  manifestVersion,
  type Withheld,
} from './manifest.ts';
import { withoutSecrets } from './withheld-fields.ts';

export interface ExportInput {
  files: Iterable<TreeFile>;
  leftOut: readonly LeftOut[];
  /** The names of what was chosen. */
  parts: string[];
  /** Where the rows are read from, if they are wanted. */
  database: Database | undefined;
  /** The version of the application. */
  app: string;
}

/**
 * A backup as a zip. It is made while it is read, one file at a time: nothing is kept of what has gone
 * out but the digests, and destroying the stream ends all work on it. The manifest comes last, since
 * only then the digests are known, and so they are of the very bytes that went into the archive.
 */
export function exportBackup(input: ExportInput): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  const leftOut = [...input.leftOut];
  const packing = { zip, output, files: [], leftOut, withheld: [], written: 0, produced: 0 };
  zip.outputStream.on('data', (chunk: Buffer) => {
    packing.written += chunk.length;
    if (!output.write(chunk)) {
      zip.outputStream.pause();
    }
  });
  output.on('drain', () => zip.outputStream.resume());
  zip.outputStream.once('end', () => output.end());
  zip.on('error', (error) => output.destroy(error));
  // It may break off before anybody reads: whoever does so later is told then.
  output.on('error', () => undefined);
  pack(packing, input).catch((error: Error) => output.destroy(error));
  return output;
}

interface Packing {
  zip: ZipFile;
  output: PassThrough;
  files: ManifestFile[];
  leftOut: LeftOut[];
  withheld: Withheld[];
  /** Bytes of the archive so far. */
  written: number;
  /** Bytes that will come out of it. */
  produced: number;
}

async function pack(packing: Packing, input: ExportInput): Promise<void> {
  const { zip, leftOut, withheld } = packing;
  const { database } = input;
  const createdAt = new Date();
  for (const file of input.files) {
    await packFile(packing, file);
  }
  for (const table of database ? dataTables : []) {
    if (database) {
      const rows = Readable.from(exportTable(database, table), { objectMode: false });
      await packStream(packing, rows, { path: dataPath(table), mtime: createdAt });
    }
  }
  const manifest: Manifest = {
    format: manifestFormat,
    version: manifestVersion,
    createdAt: createdAt.toISOString(),
    app: input.app,
    migration: newestMigration,
    parts: input.parts,
    files: packing.files,
    ...(leftOut.length > 0 ? { leftOut } : {}),
    ...(withheld.length > 0 ? { withheld } : {}),
  };
  const { produced, written: compressed } = packing;
  const text = manifestText(manifest, { produced, compressed });
  zip.addBuffer(Buffer.from(text), manifestPath, { compress: false, mtime: createdAt });
  zip.end();
}

/** A file that has gone since it was listed is left out. */
async function packFile(packing: Packing, file: TreeFile): Promise<void> {
  const { path, place, executable, changedAt } = file;
  const handle = await open(place).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  if (!handle) {
    return;
  }
  const entry = { path, executable, mtime: changedAt };
  if (isConfigurationJson(path)) {
    const bytes = await handle.readFile().finally(() => handle.close());
    await packConfiguration(packing, bytes, entry);
  } else {
    await packStream(packing, handle.createReadStream(), entry);
  }
}

/** Without the secrets in it. */
async function packConfiguration(packing: Packing, bytes: Buffer, entry: Entry): Promise<void> {
  const { path } = entry;
  const safe = withoutSecrets(bytes);
  if ('fault' in safe) {
    packing.leftOut.push({ path, message: safe.fault });
    return;
  }
  if (safe.fields.length > 0) {
    packing.withheld.push({ path, fields: safe.fields });
  }
  await packStream(packing, Readable.from([safe.bytes], { objectMode: false }), entry);
}

interface Entry {
  path: string;
  executable?: boolean;
  mtime: Date;
}

/** Resolves when the stream has been read to its end. */
async function packStream(packing: Packing, source: Readable, entry: Entry): Promise<void> {
  if (packing.output.destroyed) {
    source.destroy();
    throw new Error('Nobody reads the archive any more.');
  }
  const { path, executable = false, mtime } = entry;
  const hash = createHash('sha256');
  const measured = Readable.from(measure(source, hash, packing), { objectMode: false });
  // A slow reader of the archive may go away in the middle of a file.
  const stop = () => measured.destroy();
  packing.output.once('close', stop);
  const before = packing.produced;
  packing.zip.addReadStream(measured, path, { mtime, mode: executable ? 0o100755 : 0o100644 });
  try {
    await finished(measured);
  } finally {
    packing.output.removeListener('close', stop);
    source.destroy();
  }
  const size = packing.produced - before;
  const sha256 = hash.digest('hex');
  packing.files.push({ path, size, sha256, ...(executable ? { executable } : {}) });
}

async function* measure(source: Readable, hash: Hash, packing: Packing): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    hash.update(bytes);
    packing.produced += bytes.length;
    yield bytes;
  }
}
