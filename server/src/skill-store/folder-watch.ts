import { type FSWatcher, watch } from 'node:fs';
import { errorCode } from '../lib/error-code.ts';

/** Notices what happens in single folders. */
export interface FolderWatch<Folder extends { path: string }> {
  /** Watches a folder, or watches it again after another has taken its path. */
  start(folder: Folder): void;
  stop(folder: Folder): void;
  isWatching(folder: Folder): boolean;
  /** What was noticed since the last time: names by folder; an empty name is the folder itself. */
  take(): Map<Folder, Set<string>>;
}

/** Beyond this, watches are started in batches after the folders have been read. */
const atOnce = 500;
const batchSize = 50;
const delayMs = 100;

/**
 * @param onNotice called at every notice, perhaps many times in a row
 * @param onLate called when watches have been started late: something may have been missed
 */
export function createFolderWatch<Folder extends { path: string }>(
  onNotice: () => void,
  onLate: () => void,
): FolderWatch<Folder> {
  const watchers = new Map<Folder, FSWatcher>();
  let noticed = new Map<Folder, Set<string>>();
  let exhausted = false;
  const waiting = new Set<Folder>();
  let timer: NodeJS.Timeout | undefined;

  const stop = (folder: Folder) => {
    waiting.delete(folder);
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
      // Looking now and then must do. One that has gone, or may not be read, says nothing of others.
      exhausted = !/^(?:ENOENT|ENOTDIR|EACCES|EPERM|ELOOP)$/.test(errorCode(error) ?? '');
    }
  };
  const startWaiting = () => {
    const batch = [...waiting].slice(0, batchSize);
    for (const folder of batch) {
      waiting.delete(folder);
      start(folder);
    }
    if (waiting.size > 0) {
      setImmediate(startWaiting);
    } else if (batch.length > 0) {
      onLate();
    }
  };
  return {
    start: (folder) => {
      stop(folder);
      if (watchers.size < atOnce) {
        start(folder);
        return;
      }
      waiting.add(folder);
      timer ??= setTimeout(startWaiting, delayMs);
      timer.refresh();
    },
    stop,
    isWatching: (folder) => exhausted || waiting.has(folder) || watchers.has(folder),
    take: () => {
      const taken = noticed;
      noticed = new Map();
      return taken;
    },
  };
}
