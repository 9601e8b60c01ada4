import { dirname, join } from 'node:path';
import { createFolderWatch, type FolderWatch } from './folder-watch.ts';
import type { Notices } from './skill-source.ts';
import { watchRoot } from './watch-root.ts';

/** Watches the folders of plugins. */
export interface PluginWatch {
  listen(notices: Notices): void;
  /** Sets the files to watch, relative to the folder of all plugins. */
  follow(paths: Iterable<string>): void;
  close(): void;
}

/** Changes beyond this limit are noticed by the periodic scan. */
const maxFolders = 2000;

export function createPluginWatch(directory: string): PluginWatch {
  const known = new Map<string, { path: string }>();
  let watch: FolderWatch<{ path: string }> | undefined;
  let endRoot: (() => void) | undefined;
  const follow = (paths: Iterable<string>) => {
    const wanted = foldersOf(paths);
    for (const [path, folder] of known) {
      if (!wanted.has(path)) {
        watch?.stop(folder);
        known.delete(path);
      }
    }
    for (const path of wanted) {
      const folder = known.get(path) ?? { path: join(directory, path) };
      known.set(path, folder);
      if (watch && !watch.isWatching(folder)) {
        watch.start(folder);
      }
    }
    watch?.take();
  };
  return {
    follow,
    listen: ({ noticed, missed }) => {
      watch = createFolderWatch(noticed, missed);
      endRoot = watchRoot(directory, missed);
    },
    close: () => {
      endRoot?.();
      for (const folder of known.values()) {
        watch?.stop(folder);
      }
      known.clear();
    },
  };
}

/** The folders of these paths, including the root as ''. */
function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let above = dirname(path); above !== '.'; above = dirname(above)) {
      if (folders.size < maxFolders) {
        folders.add(above);
      }
    }
  }
  return folders;
}
