import { foldedPath } from '../lib/folded-path.ts';

/**
 * What is in the way of a new path beside others: the first part of it, file or folder, that some
 * file system takes for another one there. Undefined for a path that can be beside them everywhere.
 */
export function pathCollision(
  path: string,
  others: readonly string[],
): { part: string; other: string } | undefined {
  const there = new Set(others.flatMap(partsOf));
  const byFolded = new Map([...there].map((part) => [foldedPath(part), part]));
  for (const part of partsOf(path)) {
    const other = there.has(part) ? undefined : byFolded.get(foldedPath(part));
    if (other !== undefined) {
      return { part, other };
    }
  }
  return undefined;
}

/** Each folder on the way to a file, from the outermost in, and the file. */
function partsOf(path: string): string[] {
  const names = path.split('/');
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}
