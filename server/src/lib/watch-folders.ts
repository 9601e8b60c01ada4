import { type FSWatcher, watch } from 'chokidar';
import type { Log } from './log.ts';

export interface FolderWatch {
  close(): Promise<void>;
}

/**
 * Calls `onChange` once things below the folders have changed and then been quiet for `quietMs`,
 * but at the latest after ten times that. Folders that do not exist yet are watched for too.
 */
export function watchFolders(
  folders: string[],
  onChange: () => void,
  options: { log: Log; quietMs?: number },
): FolderWatch {
  const quietMs = options.quietMs ?? 100;
  let timer: NodeJS.Timeout | undefined;
  let firstChange = 0;
  const watcher: FSWatcher = watch(folders, {
    ignoreInitial: true,
    ignored: /[/\\](?:\.git|node_modules|__pycache__)(?:[/\\]|$)|\.tmp$/,
  });
  const changed = () => {
    const now = Date.now();
    firstChange = timer ? firstChange : now;
    clearTimeout(timer);
    const wait = Math.max(0, Math.min(quietMs, firstChange + 10 * quietMs - now));
    timer = setTimeout(() => {
      timer = undefined;
      onChange();
    }, wait);
  };
  watcher.on('all', changed);
  // What changed between the caller's own reading and now was taken for the state to begin with.
  watcher.on('ready', changed);
  watcher.on('error', (error) => options.log.warn({ error }, 'watching a folder failed'));
  return {
    close: () => {
      clearTimeout(timer);
      return watcher.close();
    },
  };
}
