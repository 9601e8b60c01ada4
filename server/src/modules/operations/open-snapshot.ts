import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../platform/lib/durable-fs.ts';
import { toWriteProblem } from '../../platform/lib/not-writable.ts';
import type { TableList } from '../../platform/storage/module-tables.ts';
import type { UnpackedFile } from '../skills/archives/unpack-members.ts';
import { dataPath } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import { digestOf } from './compare-states.ts';
import { copyTree } from './copy-tree.ts';
import { listTree } from './list-tree.ts';
import { migrateFormerRows } from './rows/migrate-rows.ts';
import { countRows } from './rows/read-rows.ts';
import type { FoundSnapshot } from './snapshots.ts';

/** Copies a snapshot into a new folder, so that it can be restored and still exists afterwards. */
export async function openSnapshot(
  { snapshot, migration, folder }: FoundSnapshot,
  directory: string,
  tables: TableList,
): Promise<BackupSource> {
  try {
    await makeFolder(directory);
    for (const name of ['contents', 'data']) {
      if (await lstat(join(folder, name)).catch(() => undefined)) {
        await copyTree(join(folder, name), join(directory, name));
      }
    }
  } catch (error) {
    throw toWriteProblem(error, 'contents/');
  }
  const files = new Map<string, UnpackedFile>();
  for (const file of (await listTree(join(directory, 'contents'), 'contents')).files) {
    files.set(file.path, { ...file, sha256: await digestOf(file) });
  }
  const source: BackupSource = {
    format: 'knowhow',
    createdAt: snapshot.at,
    app: undefined,
    directory,
    files,
    names: snapshot.parts,
    isExact: true,
    rows: new Map(),
    addsUsers: false,
    notUsed: [],
    leftOut: [],
    withheld: [],
    warnings: [],
  };
  await migrateFormerRows(source, { migration, tables, report: () => undefined });
  for (const table of tables.backup) {
    const count = await countRows(join(directory, dataPath(table.name)), table, () => undefined);
    if (count !== undefined) {
      source.rows.set(table.name, count);
    }
  }
  return source;
}
