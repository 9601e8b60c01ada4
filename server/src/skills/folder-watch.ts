import { type FSWatcher, watch } from 'node:fs';

/** Notices what happens in single folders. */
export interface FolderWatch<Folder extends { path: string }> {
  /** Watches a folder, or watches it anew after another has taken its path. */
  start(folder: Folder): void;
  stop(folder: Folder): void;
  isWatching(folder: Folder): boolean;
  /** What was noticed since the last time: names by folder; an empty name is the folder itself. */
  take(): Map<Folder, Set<string>>;
}

/** @param onNotice called at every notice, perhaps many times in a row */
export function createFolderWatch<Folder extends { path: string }>(
  onNotice: () => void,
): FolderWatch<Folder> {
  const watchers = new Map<Folder, FSWatcher>();
  let noticed = new Map<Folder, Set<string>>();
  let exhausted = false;

  const stop = (folder: Folder) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
    noticed.delete(folder);
  };
  return {
    start: (folder) => {
      stop(folder);
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
      } catch {
        // The system has no more watches, or none for this place: looking now and then must do.
        exhausted = true;
      }
    },
    stop,
    isWatching: (folder) => exhausted || watchers.has(folder),
    take: () => {
      const taken = noticed;
      noticed = new Map();
      return taken;
    },
  };
}
