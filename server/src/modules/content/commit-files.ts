import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../../platform/lib/durable-fs.ts';
import { errorCode } from '../../platform/lib/error-code.ts';
import { writeFileAtomic } from '../../platform/lib/write-file-atomic.ts';
import { toWriteProblem } from '../../platform/lib/write-problem.ts';
import type { FileChange } from './staged-files.ts';

/** Folders of the configuration and of the journal for its changes. */
export interface CommitFolders {
  /** `contents/` */
  directory: string;
  dataDirectory: string;
}

const journalName = 'content-change.json';
const stateSchema = z.object({ path: z.string(), text: z.string().optional() });
const journalSchema = z.object({ before: z.array(stateSchema) });

/**
 * Writes files atomically. The journal stores their former content first, so that a failure, or the next start after
 * a crash, rolls back. Throws `write-problem`.
 */
export async function commitFiles(folders: CommitFolders, changes: FileChange[]): Promise<void> {
  const [only, ...others] = changes;
  if (only === undefined) {
    return;
  }
  if (others.length === 0) {
    return writeState(folders, only);
  }
  await writeRollbackJournal(folders, changes);
  try {
    for (const change of changes) {
      await writeState(folders, change);
    }
    await removeJournal(folders);
  } catch (error) {
    await rollBackCommit(folders);
    throw error;
  }
}

/** Writes the journal with the files' content before the change. */
export async function writeRollbackJournal(
  folders: CommitFolders,
  changes: FileChange[],
): Promise<void> {
  const before = await Promise.all(changes.map(({ path }) => readState(folders, path)));
  const path = join(folders.dataDirectory, journalName);
  try {
    await writeFileAtomic(path, JSON.stringify({ before }), 0o600);
  } catch (error) {
    // The file may exist despite the error; it would later roll back manual edits.
    await rm(path, { force: true }).catch(() => {});
    throw toWriteProblem(error, 'The data folder');
  }
}

/** Rolls back an unfinished change of several files, at startup and after a failure. */
export async function rollBackCommit(folders: CommitFolders): Promise<void> {
  const text = await readText(join(folders.dataDirectory, journalName));
  if (text === undefined) {
    return;
  }
  for (const { path, text: former } of journalSchema.parse(JSON.parse(text)).before) {
    await writeState(folders, { path, text: former });
  }
  await removeJournal(folders);
}

async function removeJournal({ dataDirectory }: CommitFolders): Promise<void> {
  try {
    await rm(join(dataDirectory, journalName), { force: true });
    await syncFolder(dataDirectory);
  } catch (error) {
    throw toWriteProblem(error, 'The data folder');
  }
}

async function readState({ directory }: CommitFolders, path: string): Promise<FileChange> {
  return { path, text: await readText(join(directory, path)) };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

async function writeState({ directory }: CommitFolders, { path, text }: FileChange): Promise<void> {
  const target = join(directory, path);
  try {
    if (text === undefined) {
      await rm(target, { force: true });
      await syncFolder(dirname(target));
    } else {
      await writeFileAtomic(target, text, await getMode(target));
    }
  } catch (error) {
    throw toWriteProblem(error, `contents/${path}`);
  }
}

async function getMode(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mode }) => mode & 0o777,
    () => undefined,
  );
}
