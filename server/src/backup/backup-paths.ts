import { type BackupPart, backupParts } from '@knowhow/shared/config/backup';
import { faultOfEntryName } from '../archives/unpack-names.ts';
import { cacheMark } from '../content/shared/open-cache.ts';
import { isTemporaryName } from '../lib/write-file-atomic.ts';
import { stagingFolder } from '../skill-format/skill-format.ts';
import { backupLimits } from './backup-limits.ts';

// Everything in a backup has a path such as `contents/apps/chat.json` or `data/users.jsonl`, wherever
// it is on the disk. An entry is what can be restored by itself: `apps/chat.json`, `skills/pdf`.

/** A part that consists of files. */
export type FilePart = Exclude<BackupPart, 'data'>;

/** The parts that have a folder of their own in `contents/`. */
export const folderParts = ['apps', 'models', 'prompts', 'config', 'skills'] as const;
export type FolderPart = (typeof folderParts)[number];

/** In `contents/`: what a restore is about to bring in. */
export const restoreFolder = '.knowhow-restore';

export function isPart(name: string): name is BackupPart {
  return (backupParts as readonly string[]).includes(name);
}

export function isFolderPart(name: string | undefined): name is FolderPart {
  return (folderParts as readonly (string | undefined)[]).includes(name);
}

/** The part that a file belongs to; undefined for one that has no part in a backup. */
export function partOf(path: string): BackupPart | undefined {
  const [root, first, ...rest] = path.split('/');
  if (root !== 'contents') {
    return root === 'data' && first !== undefined ? 'data' : undefined;
  }
  if (isFolderPart(first)) {
    return rest.length > 0 ? first : undefined;
  }
  return first === undefined ? undefined : 'other';
}

/** The path of an entry, or the path below which a part has everything. */
export function pathOfEntry(name: string): string {
  return `contents/${name.replace(/^other\//, '')}`;
}

/** The path of the file or folder that stands for what a file belongs to, such as a skill's. */
export function itemOf(path: string): string {
  const [root, first, ...rest] = path.split('/');
  return [root, first, ...(isFolderPart(first) ? rest.slice(0, 1) : [])].join('/');
}

/** Whether it is a file that the configuration is read from, link or not. */
export function isConfigurationFile(path: string): boolean {
  return /^contents\/(?:(?:apps|models|prompts)\/[^/.][^/]*|config\/(?:platform|groups|skills|mcp))\.json$/.test(
    path,
  );
}

/** Whether it is a file of the configuration, may become one, or was, as `a.json~`: no secret leaves with it. */
export function isConfigurationJson(path: string): boolean {
  return /^contents\/(?:apps|models|prompts|config)\/.*\.json[^/]*$/is.test(path);
}

/**
 * What is on its way in or out, or is how container platforms keep versions of a mounted folder
 * (`..data`): neither belongs to a backup. What a skill has inside under such a name is its own.
 */
export function isPassing(path: string): boolean {
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

/** Whether a name, as it is read, may stand for one that is not in UTF-8: nothing is found under it then. */
export function isOddName(name: string): boolean {
  return name.includes('\uFFFD');
}

/** Why a file of that path cannot be in a backup: it could not be restored everywhere. */
export function faultOfBackupPath(path: string): { code: string; message: string } | undefined {
  if (path.length > backupLimits.pathCharacters) {
    const message = `The path is longer than ${backupLimits.pathCharacters} characters.`;
    return { code: 'path-too-long', message };
  }
  if (path.startsWith('/')) {
    return { code: 'path-absolute', message: 'The path begins at the root of a disk.' };
  }
  for (const name of path.split('/')) {
    const fault = faultOfEntryName(name);
    if (fault) {
      return fault.code === 'path-empty'
        ? { code: 'path-empty-name', message: 'The path has an empty name between its slashes.' }
        : fault;
    }
  }
  return undefined;
}
