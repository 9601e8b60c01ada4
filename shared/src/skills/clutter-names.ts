/** Names of files that systems and editors leave behind. */
const names: ReadonlySet<string> = new Set(['__macosx', '.ds_store', 'thumbs.db', 'desktop.ini']);
/** Attributes that macOS stores on other disks; backups, swap and lock files of editors; mounted ConfigMaps. */
const pattern = /^\._|^\.#|^#.+#$|~$|^\..+\.sw[a-p]$|^\.~lock\..*#$|^~\$|^\.\.(?:data|\d{4}_\d\d)/;

/** Whether a file or folder of that name was left behind by a system or an editor, and is no part of a skill. */
export function isClutterName(name: string): boolean {
  return names.has(name.toLowerCase()) || pattern.test(name);
}
