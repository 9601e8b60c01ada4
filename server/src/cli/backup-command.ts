import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { allowVariables, openContentStore } from '../modules/content/index.ts';
import {
  exportState,
  type LeftOut,
  readJournal,
  writeBackupFile,
} from '../modules/operations/index.ts';
import { formatCount } from '../platform/lib/format-count.ts';
import { openReadSnapshot } from '../platform/storage/read-snapshot.ts';
import { tables } from '../tables.ts';
import { hasDatabase, openExistingDatabase } from './open-existing-database.ts';
import type { Terminal } from './terminal.ts';

interface Options {
  /** Include users and conversations. */
  data: boolean;
  only: readonly string[] | undefined;
}

/**
 * Writes a backup of this installation to a file, and names each file that it leaves out. A server may be running: the
 * database is read in one consistent snapshot.
 */
export async function backupCommand(
  file: string,
  { data, only }: Options,
  terminal: Terminal,
): Promise<number> {
  const installation = terminal.installation();
  if (await readJournal(installation.dataDirectory)) {
    throw problem(
      'conflict',
      'A restore is running or was interrupted. Start the server to recover it, then try again.',
    );
  }
  const path = resolve(file);
  if ((await stat(path).catch(() => undefined))?.isDirectory()) {
    throw problem('conflict', `${file} is a folder. Name a file in it, such as knowhow.zip.`);
  }
  const { contentsDirectory, variables } = installation;
  const content = await openContentStore(contentsDirectory, allowVariables(variables));
  const state = { ...installation, tables, contents: () => content.current };
  const withData = data || only?.includes('data');
  // Without data, the database still says which edits of skills are not published.
  const isNeeded = withData || (await hasDatabase(installation));
  const database = isNeeded ? await openExistingDatabase(installation) : undefined;
  const snapshot = database && (await openReadSnapshot(database));
  try {
    let leftOut: readonly LeftOut[] = [];
    const source = { ...state, database: snapshot?.database };
    const archive = await exportState(source, { data, only }, (all) => {
      leftOut = all;
    });
    const bytes = await writeBackupFile(path, archive);
    for (const { path: lacking, message } of leftOut) {
      terminal.error(`Left out: ${lacking}: ${message}`);
    }
    terminal.out(`${path}: ${formatCount(bytes, 'byte')}`);
    return 0;
  } finally {
    await snapshot?.end();
    await database?.destroy();
  }
}
