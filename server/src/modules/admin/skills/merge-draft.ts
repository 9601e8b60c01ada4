import { problem } from '@knowhow/shared/problem';
import { findCollision, type ManifestFile, type PackedFile } from '../../skills/index.ts';
import { changedInBoth } from './changed-in-both.ts';
import { compareSides } from './compare-sides.ts';

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
  const contents = {
    draft: new Map(ours.files.map((file) => [file.path, file])),
    published: new Map(theirs.files.map((file) => [file.path, file])),
  };
  const conflicts: string[] = [];
  const merged: PackedFile[] = [];
  for (const [path, state] of compareSides(base, ours.manifest, theirs.manifest)) {
    if (state === 'both' && !prefer) {
      conflicts.push(path);
    }
    const side =
      state === 'both' ? (prefer ?? 'draft') : state === 'theirs' ? 'published' : 'draft';
    const file = contents[side].get(path);
    if (file) {
      merged.push(file);
    }
  }
  const collision = findCollision(
    merged.map(({ path }) => path),
    base.map(({ path }) => path),
  );
  if (collision) {
    throw problem(
      'conflict',
      `"${collision.part}" and "${collision.other}" differ only in case: one is in the draft, the other in the published version. Rename the file in the draft first.`,
    );
  }
  if (conflicts.length > 0) {
    throw changedInBoth(conflicts, {
      subject: 'The draft and the published version',
      where: 'in the draft and in the published version',
      next: 'Choose which side to keep.',
    });
  }
  return merged;
}
