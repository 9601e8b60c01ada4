import { foldPath } from '@knowhow/shared/fold-path';
import { stagingFolder, toolFolders, whySkipped } from '@knowhow/shared/skills/clutter-names';

/** An issue of a path, for a problem's `issues`. */
export interface PathFault {
  code: string;
  message: string;
}

const maxCharacters = 256;
/** Limit of common file systems for a name, in UTF-8 bytes. */
const maxNameBytes = 255;

/**
 * Why a path relative to a skill's folder is not allowed on any of the common systems, for all
 * files we write. Prevents path traversal. Undefined if it is allowed.
 */
export function findPathIssue(path: string): PathFault | undefined {
  const violated = pathRules.find(({ isViolated }) => isViolated(path));
  return violated && { code: violated.code, message: violated.message };
}

/** The same for a single name, such as that of a skill's folder. */
export function findNameIssue(name: string): PathFault | undefined {
  return name.includes('/')
    ? { code: 'path-nested', message: 'The name contains a slash.' }
    : findPathIssue(name);
}

interface PathRule extends PathFault {
  isViolated: (path: string) => boolean;
}

/** The first violated rule is reported. */
const pathRules: readonly PathRule[] = [
  {
    code: 'path-empty',
    message: 'The path is empty.',
    isViolated: (path) => path === '',
  },
  {
    code: 'path-too-long',
    message: `The path is longer than ${maxCharacters} characters.`,
    isViolated: (path) => [...path].length > maxCharacters,
  },
  {
    code: 'path-control-character',
    message: 'The path contains a control character or an incomplete character.',
    isViolated: (path) => /[\p{Cc}\p{Cs}]/u.test(path),
  },
  {
    code: 'path-backslash',
    message: 'The path contains a backslash; folders are separated by "/".',
    isViolated: (path) => path.includes('\\'),
  },
  {
    code: 'path-absolute',
    message: 'The path begins at the root of a disk.',
    isViolated: (path) => path.startsWith('/') || /^[A-Za-z]:/.test(path),
  },
  {
    code: 'path-outside',
    message: 'The path leads to a folder above by "..".',
    isViolated: someName((name) => name === '..'),
  },
  {
    code: 'path-empty-name',
    message: 'The path has an empty name or "." between its slashes.',
    isViolated: someName((name) => name === '' || name === '.'),
  },
  {
    code: 'path-trailing',
    message: 'A name in the path ends with a dot or a blank.',
    isViolated: someName((name) => /[.\s]$/.test(name)),
  },
  {
    code: 'path-reserved-name',
    message: 'A name in the path is that of a device on Windows, such as "con" or "nul.txt".',
    isViolated: someName(isDeviceName),
  },
  {
    code: 'path-name-too-long',
    message: `A name in the path takes more than ${maxNameBytes} bytes.`,
    isViolated: someName((name) => Buffer.byteLength(name) > maxNameBytes),
  },
];

function someName(isViolated: (name: string) => boolean): (path: string) => boolean {
  return (path) => path.split('/').some(isViolated);
}

/** Windows recognizes a device name regardless of what follows the first dot. */
function isDeviceName(name: string): boolean {
  const [base = ''] = name.split('.');
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i.test(base.trimEnd());
}

/**
 * Whether a file or folder with this name is never part of a skill: version control, packages,
 * caches, and leftovers of systems and editors.
 */
export function isSkippedName(name: string): boolean {
  return name === stagingFolder || whySkipped(name) !== undefined;
}

/** Folders that are never scanned. */
export const skippedFolders: ReadonlySet<string> = new Set([...toolFolders, stagingFolder]);

/**
 * The first part of a new path, file or folder, that some file systems treat as the same as an
 * existing one. Undefined if there is no conflict on any system.
 */
export function pathCollision(
  path: string,
  others: readonly string[],
): { part: string; other: string } | undefined {
  const existing = new Set(others.flatMap(partsOf));
  const byFolded = new Map([...existing].map((part) => [foldPath(part), part]));
  for (const part of partsOf(path)) {
    const other = existing.has(part) ? undefined : byFolded.get(foldPath(part));
    if (other !== undefined) {
      return { part, other };
    }
  }
  return undefined;
}

/**
 * Two parts of paths that some file systems treat as the same. Undefined if there are none, except among the known
 * paths.
 */
export function findCollision(
  paths: readonly string[],
  known: readonly string[],
): { part: string; other: string } | undefined {
  const knownParts = new Set(known.flatMap(partsOf));
  const byFolded = new Map<string, string>();
  for (const part of new Set(paths.flatMap(partsOf))) {
    const folded = foldPath(part);
    const other = byFolded.get(folded);
    if (other !== undefined && !(knownParts.has(part) && knownParts.has(other))) {
      return { part, other };
    }
    byFolded.set(folded, part);
  }
  return undefined;
}

/** All ancestors of a file from the outermost, and the file. */
function partsOf(path: string): string[] {
  const names = path.split('/');
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}
