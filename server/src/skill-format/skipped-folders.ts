/** In the folder of local skills: what is on its way in or out. */
export const stagingFolder = '.knowhow-staging';

/** What systems and editors leave behind, by its name. */
const clutter: ReadonlySet<string> = new Set(['__macosx', '.ds_store', 'thumbs.db', 'desktop.ini']);
/** Attributes that macOS stores on other disks; backups, swap and lock files of editors; mounted ConfigMaps. */
const clutterPattern =
  /^\._|^\.#|^#.+#$|~$|^\..+\.sw[a-p]$|^\.~lock\..*#$|^~\$|^\.\.(?:data|\d{4}_\d\d)/;

/**
 * Whether a file or folder of that name is never part of a skill: version control, packages, caches, and what systems
 * and editors leave behind.
 */
export function isSkippedName(name: string): boolean {
  return skippedFolders.has(name) || clutter.has(name.toLowerCase()) || clutterPattern.test(name);
}

/** Folders that are never looked into. */
export const skippedFolders: ReadonlySet<string> = new Set([
  '.git',
  '.svn',
  '.hg',
  'node_modules',
  '__pycache__',
  stagingFolder,
]);
