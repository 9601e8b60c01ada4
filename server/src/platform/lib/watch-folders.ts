import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { debounce } from './debounce.ts';
import { errorCode } from './error-code.ts';
import type { Log } from './log.ts';
import { isForbidden } from './read-problem.ts';

export interface FolderWatch {
  close(): Promise<void>;
}

/** Polling interval in ms. */
const checkMs = 1500;
/**
 * Some file systems have timestamps of one second, FAT of two. A second change within that interval
 * is invisible if the size stays the same.
 */
const grainMs = 2000;
/** Maximum reported paths that cannot be watched. */
const maxReported = 20;

/**
 * Calls `onChange` after changes directly in the folders, debounced by `quietMs` and at the latest after
 * ten times that. Folders that do not exist yet are noticed when they appear. The files directly in the
 * folders are also polled: the watcher may miss files created while it starts, and changes on
 * network disks.
 *
 * @param onChange resolves once it has read the folders; later changes trigger another call
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
    // Taken before the caller reads, so that changes during reading are noticed.
    known = await stateOf(folders);
    if (!isClosed) {
      await onChange();
      await lookAgain();
    }
  };
  const changes = debounce(options.quietMs ?? 100, () => {
    read().catch(logFailure);
  });
  const lookAgain = async () => {
    if ((await stateOf(folders)) !== known && !isClosed) {
      changes.trigger();
    }
  };
  const watcher: FSWatcher = watch(folders, {
    ignoreInitial: true,
    // Nothing below is read: a link to a large folder would block the server.
    depth: 0,
    ignored: /[/\\](?:\.git|node_modules|__pycache__)(?:[/\\]|$)|\.tmp$/,
  });
  watcher.on('all', changes.trigger);
  // Catches changes made between the caller's own first read and now.
  watcher.on('ready', changes.trigger);
  watcher.on('error', logUnwatchable(options.log, folders));
  const checking = setInterval(() => {
    lookAgain().catch(logFailure);
  }, checkMs);
  checking.unref();
  return {
    close: () => {
      isClosed = true;
      clearInterval(checking);
      changes.cancel();
      return watcher.close();
    },
  };
}

/**
 * Logs each unwatchable path once. Skips unreadable files directly in the folders: their reader
 * reports them, and they are polled.
 */
function logUnwatchable(log: Log, folders: readonly string[]): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    const code = errorCode(error) ?? 'unknown';
    const path = error instanceof Error && 'path' in error ? String(error.path) : undefined;
    const key = `${code} ${path}`;
    const isReportedElsewhere =
      path !== undefined && folders.includes(dirname(path)) && isUnreadable(error);
    if (!isReportedElsewhere && !reported.has(key) && reported.size < maxReported) {
      reported.add(key);
      log.warn({ path, code }, `${path ?? 'A folder'} cannot be watched (${code}).`);
    }
  };
}

function isUnreadable(error: unknown): boolean {
  return isForbidden(error) || errorCode(error) === 'ELOOP';
}

/**
 * A fingerprint that differs if a file directly in a folder was added, removed or changed, and once
 * more when its last change is old enough to be unambiguous.
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
      const isRecent = found && Date.now() - found.mtimeMs < grainMs;
      return [path, found?.mtimeMs, found?.ctimeMs, found?.size, found?.ino, isRecent];
    }),
  );
  return JSON.stringify(marks);
}
