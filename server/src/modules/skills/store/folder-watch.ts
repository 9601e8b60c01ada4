import { type FSWatcher, watch } from 'node:fs';
import { errorCode } from '../../../platform/lib/error-code.ts';

/** Watches single folders for changes. */
export interface FolderWatch<Folder extends { path: string }> {
  /** Watches a folder, or watches it again after it has been replaced. */
  start(folder: Folder): void;
  stop(folder: Folder): void;
  isWatching(folder: Folder): boolean;
  /** Changes since the last call: names by folder; an empty name is the folder itself. */
  take(): Map<Folder, Set<string>>;
}

/** Above this number, watches are started in batches after the folders have been read. */
const maxImmediate = 500;
const batchSize = 50;
const delayMs = 100;

/**
 * @param onNotice called for every change, perhaps many times in a row
 * @param onLate called after delayed watches have started: changes may have been missed
 */
export function createFolderWatch<Folder extends { path: string }>(
  onNotice: () => void,
  onLate: () => void,
): FolderWatch<Folder> {
  const watchers = new Map<Folder, FSWatcher>();
  let noticed = new Map<Folder, Set<string>>();
  let exhausted = false;
  const pending = new Set<Folder>();
  let timer: NodeJS.Timeout | undefined;

  const stop = (folder: Folder) => {
    pending.delete(folder);
    watchers.get(folder)?.close();
    watchers.delete(folder);
    noticed.delete(folder);
  };
  const start = (folder: Folder) => {
    if (exhausted) {
      return;
    }
    try {
      const watcher = watch(folder.path, { persistent: false }, (_event, name) => {
        const names = noticed.get(folder) ?? new Set();
        noticed.set(folder, names.add(name ?? ''));
        onNotice();
      });
      watcher.on('error', () => stop(folder));
      watchers.set(folder, watcher);
    } catch (error) {
      // The limit of watches is reached, so rely on polling. Other errors affect this folder only.
      exhausted = !/^(?:ENOENT|ENOTDIR|EACCES|EPERM|ELOOP)$/.test(errorCode(error) ?? '');
    }
  };
  const startPending = () => {
    const batch = [...pending].slice(0, batchSize);
    for (const folder of batch) {
      pending.delete(folder);
      start(folder);
    }
    if (pending.size > 0) {
      setImmediate(startPending);
    } else if (batch.length > 0) {
      onLate();
    }
  };
  return {
    start: (folder) => {
      stop(folder);
      if (watchers.size < maxImmediate) {
        start(folder);
        return;
      }
      pending.add(folder);
      timer ??= setTimeout(startPending, delayMs);
      timer.refresh();
    },
    stop,
    isWatching: (folder) => exhausted || pending.has(folder) || watchers.has(folder),
    take: () => {
      const taken = noticed;
      noticed = new Map();
      return taken;
    },
  };
}
