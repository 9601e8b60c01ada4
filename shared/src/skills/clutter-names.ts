import type { LeftOut, LeftOutReason } from './left-out.ts';

/** Files and folders that operating systems leave behind, in lower case. */
const systemNames: ReadonlySet<string> = new Set([
  '__macosx',
  '.ds_store',
  '.appledouble',
  '.spotlight-v100',
  '.trashes',
  '.fseventsd',
  '.directory',
  'thumbs.db',
  'ehthumbs.db',
  'desktop.ini',
  '$recycle.bin',
]);

/**
 * Attributes that macOS stores on other disks; backups, swap and lock files of editors; mounted
 * ConfigMaps.
 */
const systemPattern =
  /^\._|^\.#|^#.+#$|~$|\.swp$|^\.(?:.+\.)?sw[a-p]$|^\.~lock\..*#$|^~\$|^~wr[dl]\d+\.tmp$|^\.\.(?:data|\d{4}_\d\d)/i;

/** Folders of version control, packages and caches, which are never scanned. */
export const toolFolders: ReadonlySet<string> = new Set([
  '.git',
  '.svn',
  '.hg',
  '.bzr',
  '.jj',
  'node_modules',
  '.venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
]);

/**
 * The first part of a path that is never part of a skill, folders with a trailing `/`, and the
 * reason; undefined if there is none.
 */
export function skippedPart(path: string): Required<Pick<LeftOut, 'path' | 'why'>> | undefined {
  const names = path.split('/');
  const at = names.findIndex((name) => whySkipped(name) !== undefined);
  const why = whySkipped(names[at] ?? '');
  const isFolder = at < names.length - 1;
  return why && { path: `${names.slice(0, at + 1).join('/')}${isFolder ? '/' : ''}`, why };
}

/** Why a file or folder with this name is never part of a skill; undefined if it may be. */
export function whySkipped(name: string): LeftOutReason | undefined {
  if (toolFolders.has(name)) {
    return 'tool-folder';
  }
  const isLeftBehind = systemNames.has(name.toLowerCase()) || systemPattern.test(name);
  return isLeftBehind ? 'system-file' : undefined;
}

/** Staging folder for writes, in the folder of local skills. */
export const stagingFolder = '.knowhow-staging';
