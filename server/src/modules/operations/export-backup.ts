import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { errorCode } from '../../platform/lib/error-code.ts';
import { newestMigration, type TableList } from '../../platform/storage/module-tables.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import { openSharedSnapshot } from '../../platform/storage/read-snapshot.ts';
import { type StreamedEntry, streamZip, type ZipStream } from '../skills/index.ts';
import { dataPath, isConfigurationJson } from './backup-paths.ts';
import { exportTable } from './export-table.ts';
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
  /** Names of the selection. */
  parts: string[];
  /** Source of the rows, if data is included. */
  database: Database | undefined;
  tables: TableList;
  /** Version of the application. */
  app: string;
  /** Called at the end with everything that the backup lacks, which the manifest lists as well. */
  onLeftOut?: ((leftOut: readonly LeftOut[]) => void) | undefined;
}

/**
 * Streams a backup as a zip. The manifest comes last, because only then are the digests of the archived bytes known.
 */
export function exportBackup(input: ExportInput): Readable {
  return streamZip((zip) =>
    pack({ zip, files: [], leftOut: [...input.leftOut], withheld: [] }, input),
  );
}

interface PackState {
  zip: ZipStream;
  files: ManifestFile[];
  leftOut: LeftOut[];
  withheld: Withheld[];
}

async function pack(packing: PackState, input: ExportInput): Promise<void> {
  const { zip, leftOut, withheld } = packing;
  const createdAt = new Date();
  for (const file of input.files) {
    await packFile(packing, file);
  }
  if (input.database) {
    await packData(packing, input.database, { tables: input.tables, createdAt });
  }
  const manifest: Manifest = {
    format: manifestFormat,
    version: manifestVersion,
    createdAt: createdAt.toISOString(),
    app: input.app,
    migration: newestMigration(input.tables.migrations),
    parts: input.parts,
    files: packing.files,
    ...(leftOut.length > 0 ? { leftOut } : {}),
    ...(withheld.length > 0 ? { withheld } : {}),
  };
  input.onLeftOut?.(leftOut);
  zip.end(Buffer.from(manifestText(manifest, zip)), { path: manifestPath, mtime: createdAt });
}

async function packData(
  packing: PackState,
  database: Database,
  { tables, createdAt }: { tables: TableList; createdAt: Date },
): Promise<void> {
  const snapshot = await openSharedSnapshot(database);
  try {
    for (const table of tables.backup) {
      const rows = Readable.from(exportTable(snapshot.database, table), { objectMode: false });
      await packStream(packing, rows, { path: dataPath(table.name), mtime: createdAt });
    }
  } finally {
    await snapshot.end();
  }
}

/** Skips a file that was deleted after it was listed. */
async function packFile(packing: PackState, file: TreeFile): Promise<void> {
  const { path, diskPath, executable, changedAt, read } = file;
  if (read) {
    const bytes = await read();
    if (bytes) {
      const content = Readable.from([bytes], { objectMode: false });
      await packStream(packing, content, { path, executable, mtime: changedAt });
    }
    return;
  }
  const handle = await open(diskPath).catch((error: unknown) => {
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
    let bytes: Buffer;
    try {
      bytes = await handle.readFile();
    } finally {
      await handle.close();
    }
    await packConfiguration(packing, bytes, entry);
  } else {
    await packStream(packing, handle.createReadStream(), entry);
  }
}

/** Packs a configuration file with its secrets withheld. */
async function packConfiguration(
  packing: PackState,
  bytes: Buffer,
  entry: StreamedEntry,
): Promise<void> {
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

async function packStream(
  { zip, files }: PackState,
  source: Readable,
  entry: StreamedEntry,
): Promise<void> {
  const { path, executable = false } = entry;
  const content = await zip.add(source, entry);
  files.push({ path, ...content, ...(executable ? { executable } : {}) });
}
