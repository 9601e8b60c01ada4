import { foldPath } from '@knowhow/shared/fold-path';
import { findPathIssue, reveal } from '@knowhow/skill-format';
import type { UnpackEntry } from './unpack-entry.ts';
import { type ArchiveIssue, archiveIssues, type ReportIssue } from './unpack-faults.ts';
import { archiveLimits } from './unpack-limits.ts';

/** The name as a path relative to the root of the archive; empty for the root itself. */
export function plainName({ name, kind }: UnpackEntry): string {
  const path = name.replace(/^(?:\.\/)+/, '');
  return kind === 'folder' ? path.replace(/^\.$|\/$/, '') : path;
}

/** Why a name is not allowed, in whatever spelling. */
export function findEntryNameIssue(path: string): ArchiveIssue | undefined {
  if (path.includes('\uFFFD')) {
    return { code: 'path-encoding', message: 'The name is not in UTF-8.' };
  }
  const fault = findPathIssue(path);
  const isDisguised = [path.normalize('NFKC'), path.replace(/%2e/gi, '.').replace(/%2f|%5c/gi, '/')]
    .flatMap((spelling) => spelling.split('/'))
    .includes('..');
  return fault ?? (isDisguised ? disguised : undefined);
}

const disguised = { code: 'path-outside', message: 'The path contains a disguised "..".' };

/**
 * Reports files and folders that are the same on some systems, or duplicates.
 *
 * @param most maximum number of files and folders, including folders without an entry
 */
export function reportCollisions(
  entries: Iterable<Pick<UnpackEntry, 'name' | 'kind'>>,
  report: ReportIssue,
  most = archiveLimits.entries,
): void {
  const seen = new Map<string, Seen>();
  for (const { name, kind } of entries) {
    for (let end = name.indexOf('/'); end > 0; end = name.indexOf('/', end + 1)) {
      addPath({ path: name.slice(0, end), isFolder: true }, seen, report);
    }
    addPath({ path: name, isFolder: kind === 'folder' }, seen, report);
    if (seen.size > most) {
      report('', archiveIssues.tooManyEntries);
      return;
    }
  }
}

interface Seen {
  path: string;
  isFolder: boolean;
}

function addPath(one: Seen, seen: Map<string, Seen>, report: ReportIssue): void {
  const key = foldPath(one.path);
  const other = seen.get(key);
  if (!other) {
    seen.set(key, one);
  } else if (other.path !== one.path) {
    report(one.path, collision(other.path));
  } else if (other.isFolder !== one.isFolder) {
    report(one.path, collisions.fileAndFolder);
  } else if (!one.isFolder) {
    report(one.path, collisions.twice);
  }
}

const collisions = {
  twice: { code: 'name-twice', message: 'The archive has two entries of this name.' },
  fileAndFolder: { code: 'file-and-folder', message: 'The name is that of a file and a folder.' },
};

function collision(other: string): ArchiveIssue {
  const message = `The name differs from "${reveal(other)}" in case or accents only; some file systems cannot keep both.`;
  return { code: 'name-collision', message };
}
