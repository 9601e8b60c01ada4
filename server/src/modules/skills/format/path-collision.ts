import { foldPath } from '../../../platform/lib/fold-path.ts';

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

/** All ancestors of a file from the outermost, and the file. */
function partsOf(path: string): string[] {
  const names = path.split('/');
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}
