import type { ManifestFile } from '../../skills/index.ts';

/** How two changes of the same folder differ in a file. */
export type FileState =
  | 'unchanged'
  /** Only one side changed, added or removed it. */
  | 'ours'
  | 'theirs'
  /** Both sides changed it alike. */
  | 'same'
  /** Both sides changed it differently. */
  | 'both';

type Manifest = readonly ManifestFile[];

/** Compares each file of two folders with their common base, by path. */
export function compareSides(
  base: Manifest,
  ours: Manifest,
  theirs: Manifest,
): ReadonlyMap<string, FileState> {
  const [before, own, other] = [markByPath(base), markByPath(ours), markByPath(theirs)];
  const paths = [...new Set([...before.keys(), ...own.keys(), ...other.keys()])].sort();
  return new Map(
    paths.map((path) => [path, compare(before.get(path), own.get(path), other.get(path))]),
  );
}

function compare(
  was: string | undefined,
  mine: string | undefined,
  their: string | undefined,
): FileState {
  if (mine === their) {
    return mine === was ? 'unchanged' : 'same';
  }
  if (was === mine) {
    return 'theirs';
  }
  return was === their ? 'ours' : 'both';
}

/** Content and executable bit of each file. */
function markByPath(manifest: Manifest): ReadonlyMap<string, string> {
  return new Map(
    manifest.map(({ path, digest, executable }) => [path, `${digest}${executable ? '*' : ''}`]),
  );
}
