import { type BackupPart, backupParts } from '@knowhow/shared/config/backup';
import { stagingFolder } from '@knowhow/shared/skills/clutter-names';
import { isTemporaryName } from '../../platform/lib/write-file-atomic.ts';
import { cacheMark } from '../content/index.ts';
import { findEntryNameIssue } from '../skills/index.ts';
import { backupLimits } from './backup-limits.ts';

// Paths in a backup look like `contents/apps/chat.json` or `data/users.jsonl`, regardless of where the file is on
// disk. An entry is what can be restored individually: `apps/chat.json`, `skills/pdf`.

/** A part that consists of files. */
export type FilePart = Exclude<BackupPart, 'data'>;

/** Parts with their own folder in `contents/`. */
export const folderParts = ['apps', 'models', 'prompts', 'config', 'skills'] as const;
export type FolderPart = (typeof folderParts)[number];

/** Staging folder of a restore in `contents/`. */
export const restoreFolder = '.knowhow-restore';

export function isPart(name: string): name is BackupPart {
  return (backupParts as readonly string[]).includes(name);
}

export function isFolderPart(name: string | undefined): name is FolderPart {
  return (folderParts as readonly (string | undefined)[]).includes(name);
}

/** The part of a file; undefined if it does not belong to a backup. */
export function getPart(path: string): BackupPart | undefined {
  const [root, first, ...rest] = path.split('/');
  if (root !== 'contents') {
    return root === 'data' && first !== undefined ? 'data' : undefined;
  }
  if (isFolderPart(first)) {
    return rest.length > 0 ? first : undefined;
  }
  return first === undefined ? undefined : 'other';
}

/** Path of an entry, or the common parent path of a part's files. */
export function pathOfEntry(name: string): string {
  return `contents/${name.replace(/^other\//, '')}`;
}

/** Path of the item to which a file belongs, such as a skill's folder. */
export function getItemPath(path: string): string {
  const [root, first, ...rest] = path.split('/');
  return [root, first, ...(isFolderPart(first) ? rest.slice(0, 1) : [])].join('/');
}

/** Whether the configuration is read from this file, even if it is a link. */
export function isConfigurationFile(path: string): boolean {
  return /^contents\/(?:(?:apps|models|prompts)\/[^/.][^/]*|config\/(?:platform|groups|skills|skill-sources|skill-sources-lock|tools|mcp))\.json$/.test(
    path,
  );
}

/** Whether it is a configuration file, or a variant such as `a.json~`; secrets in it are withheld. */
export function isConfigurationJson(path: string): boolean {
  return /^contents\/(?:apps|models|prompts|config)\/.*\.json[^/]*$/is.test(path);
}

/**
 * Temporary files, and files in which container platforms keep versions of a mounted folder (`..data`). They are not
 * part of a backup, except inside a skill.
 */
export function isIgnoredPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isInSkill = /^contents\/skills\/[^/]+\//.test(path);
  return (
    path === `contents/${restoreFolder}` ||
    path === `contents/${cacheMark}` ||
    (name === stagingFolder && !isInSkill) ||
    name.startsWith('..') ||
    isTemporaryName(name)
  );
}

/** Whether a name may be a lossy decoding of one that is not UTF-8; such a file cannot be opened by this name. */
export function isLossyName(name: string): boolean {
  return name.includes('\uFFFD');
}

/** Why a path cannot be in a backup, because it could not be restored on every platform. */
export function validateBackupPath(path: string): { code: string; message: string } | undefined {
  if (path.length > backupLimits.pathCharacters) {
    const message = `The path is longer than ${backupLimits.pathCharacters} characters.`;
    return { code: 'path-too-long', message };
  }
  if (path.startsWith('/')) {
    return { code: 'path-absolute', message: 'The path begins at the root of a disk.' };
  }
  for (const name of path.split('/')) {
    const fault = findEntryNameIssue(name);
    if (fault) {
      return fault.code === 'path-empty'
        ? { code: 'path-empty-name', message: 'The path has an empty name between its slashes.' }
        : fault;
    }
  }
  return undefined;
}

/** Path of a table's rows, in JSON lines. */
export function dataPath(table: string): string {
  return `data/${table}.jsonl`;
}
