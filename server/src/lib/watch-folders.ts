import { type FSWatcher, watch } from 'chokidar';
import type { Log } from './log.ts';
import { whenQuiet } from './when-quiet.ts';

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
  const quiet = whenQuiet(options.quietMs ?? 100, onChange);
  const watcher: FSWatcher = watch(folders, {
    ignoreInitial: true,
    ignored: /[/\\](?:\.git|node_modules|__pycache__)(?:[/\\]|$)|\.tmp$/,
  });
  watcher.on('all', quiet.stir);
  // What changed between the caller's own reading and now was taken for the state to begin with.
  watcher.on('ready', quiet.stir);
  watcher.on('error', (error) => options.log.warn({ error }, 'watching a folder failed'));
  return {
    close: () => {
      quiet.cancel();
      return watcher.close();
    },
  };
}
