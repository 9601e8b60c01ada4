import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { debounce } from './debounce.ts';
import { errorCode } from './error-code.ts';
import type { Log } from './log.ts';
import { isForbidden } from './not-readable.ts';

export interface FolderWatch {
  close(): Promise<void>;
}

/** How often the folders are looked at by ourselves, in ms. */
const checkMs = 1500;
/**
 * Some disks count time in whole seconds, FAT in two. What changes twice within that, and keeps its size,
 * looks the same after the second change.
 */
const grainMs = 2000;
/** As many paths that cannot be watched are reported. */
const maxReported = 20;

/**
 * Calls `onChange` once things below the folders have changed and then been quiet for `quietMs`,
 * but at the latest after ten times that. Folders that do not exist yet are watched for too. The files
 * right in the folders are compared now and then as well: a file that comes while the watch begins is
 * unknown to it when it goes, and of some network disks it hears nothing.
 *
 * @param onChange resolves when it has read them: what differs by then may have come too late for it, and
 * be as it was before at the next look
 */
export function watchFolders(
  folders: string[],
  onChange: () => Promise<void>,
  options: { log: Log; quietMs?: number },
): FolderWatch {
  let known: string | undefined;
  let isClosed = false;
  const logFailure = (error: unknown) =>
    options.log.error({ error }, 'changes in watched folders could not be read');
  const read = async () => {
    // Before the caller reads: what changes while it does is noticed the next time.
    known = await stateOf(folders);
    if (!isClosed) {
      await onChange();
      await lookAgain();
    }
  };
  const quiet = debounce(options.quietMs ?? 100, () => {
    read().catch(logFailure);
  });
  const lookAgain = async () => {
    if ((await stateOf(folders)) !== known && !isClosed) {
      quiet.stir();
    }
  };
  const watcher: FSWatcher = watch(folders, {
    ignoreInitial: true,
    ignored: /[/\\](?:\.git|node_modules|__pycache__)(?:[/\\]|$)|\.tmp$/,
  });
  watcher.on('all', quiet.stir);
  // What changed between the caller's own reading and now was taken for the state to begin with.
  watcher.on('ready', quiet.stir);
  watcher.on('error', logUnwatched(options.log, folders));
  const checking = setInterval(() => {
    lookAgain().catch(logFailure);
  }, checkMs);
  checking.unref();
  return {
    close: () => {
      isClosed = true;
      clearInterval(checking);
      quiet.cancel();
      return watcher.close();
    },
  };
}

/**
 * One line for each path that cannot be watched, however often the watcher says so. None for a file right
 * in the folders that cannot be read either: who reads it says so, and its state is compared.
 */
function logUnwatched(log: Log, folders: readonly string[]): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    const code = errorCode(error) ?? 'unknown';
    const path = error instanceof Error && 'path' in error ? String(error.path) : undefined;
    const key = `${code} ${path}`;
    const isSaid = path !== undefined && folders.includes(dirname(path)) && isUnreadable(error);
    if (!isSaid && !reported.has(key) && reported.size < maxReported) {
      reported.add(key);
      log.warn({ path, code }, `${path ?? 'A folder'} cannot be watched (${code}).`);
    }
  };
}

function isUnreadable(error: unknown): boolean {
  return isForbidden(error) || errorCode(error) === 'ELOOP';
}

/**
 * Differs when a file right in one of the folders has come, gone or changed, and once more when its last
 * change is so long ago that no later one can look the same.
 */
async function stateOf(folders: readonly string[]): Promise<string> {
  const paths = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch((): string[] => []);
      return names.sort().map((name) => join(folder, name));
    }),
  );
  const marks = await Promise.all(
    paths.flat().map(async (path) => {
      const found = await stat(path).catch(() => undefined);
      const isFresh = found && Date.now() - found.mtimeMs < grainMs;
      return [path, found?.mtimeMs, found?.ctimeMs, found?.size, found?.ino, isFresh];
    }),
  );
  return JSON.stringify(marks);
}
