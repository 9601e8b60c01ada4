import type { FileChange } from '@knowhow/shared/skills/file-changes';

/** Characters of the differences in one answer: a browser shows them all. */
const maxCharacters = 4 * 1024 * 1024;

/**
 * Limits the differences of an answer about many skills: those of further files are omitted, like differences of files
 * that are too long to compare.
 */
export function createHunkLimit(): (changes: FileChange[]) => FileChange[] {
  let left = maxCharacters;
  return (changes) =>
    changes.map((change) => {
      const { hunks = [], ...rest } = change;
      for (const line of hunks.flatMap(({ lines }) => lines)) {
        left -= line.length;
      }
      return left < 0 ? rest : change;
    });
}
