import { problem } from '@knowhow/shared/problem';
import { type ManifestFile, type PackedFile, pathCollision } from '../../skills/index.ts';

interface Side {
  manifest: readonly ManifestFile[];
  files: readonly PackedFile[];
}

interface Merge {
  /** The version that the draft is based on. */
  base: readonly ManifestFile[];
  /** The draft. */
  ours: Side;
  /** The published version. */
  theirs: Side;
  prefer: 'draft' | 'published' | undefined;
}

/**
 * Merges a draft and the published version, file by file. Throws `conflict` with the paths of files
 * that changed differently in both, unless one side is preferred.
 */
export function mergeDraft({ base, ours, theirs, prefer }: Merge): PackedFile[] {
  const [before, own, other] = [base, ours.manifest, theirs.manifest].map(markByPath);
  const contents = {
    draft: new Map(ours.files.map((file) => [file.path, file])),
    published: new Map(theirs.files.map((file) => [file.path, file])),
  };
  const paths = new Set([...contents.draft.keys(), ...contents.published.keys()]);
  const conflicts: string[] = [];
  const merged: PackedFile[] = [];
  for (const path of [...paths].sort()) {
    const [was, mine, their] = [before?.get(path), own?.get(path), other?.get(path)];
    const isConflict = mine !== their && was !== mine && was !== their;
    if (isConflict && !prefer) {
      conflicts.push(path);
    }
    const side = isConflict ? (prefer ?? 'draft') : was === mine ? 'published' : 'draft';
    const file = contents[side].get(path);
    if (file) {
      merged.push(file);
    }
  }
  rejectCollisions(merged, before ?? new Map());
  if (conflicts.length > 0) {
    throw problem(
      'conflict',
      `The draft and the published version changed the same files: ${conflicts.slice(0, maxNamed).join(', ')}. Choose which side to keep.`,
      {
        issues: conflicts.slice(0, maxIssues).map((path) => ({
          path,
          code: 'changed-in-both',
          message: `"${path}" was changed in the draft and in the published version.`,
        })),
      },
    );
  }
  return merged;
}

/** The sides may have added files whose names differ only in case. */
function rejectCollisions(files: readonly PackedFile[], before: ReadonlyMap<string, string>): void {
  const paths = files.map(({ path }) => path);
  for (const path of paths.filter((each) => !before.has(each))) {
    const found = pathCollision(
      path,
      paths.filter((other) => other !== path),
    );
    if (found) {
      throw problem(
        'conflict',
        `"${found.part}" and "${found.other}" differ only in case: one is in the draft, the other in the published version. Rename the file in the draft first.`,
      );
    }
  }
}

const maxNamed = 5;
const maxIssues = 100;

/** Content and executable bit of each file. */
function markByPath(manifest: readonly ManifestFile[]): ReadonlyMap<string, string> {
  return new Map(
    manifest.map(({ path, digest, executable }) => [path, `${digest}${executable ? '*' : ''}`]),
  );
}
