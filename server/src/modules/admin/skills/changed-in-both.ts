import { type Problem, problem } from '@knowhow/shared/problem';

/** The words for two sides of a merge. */
interface Sides {
  /** Both as the subject of a sentence: `The draft and the published version`. */
  subject: string;
  /** Where a file was changed: `in the draft and in the published version`. */
  where: string;
  /** The next step. */
  next: string;
}

/** The problem for files that both sides of a merge changed differently. */
export function changedInBoth(paths: readonly string[], { subject, where, next }: Sides): Problem {
  const named = paths.slice(0, maxNamed).join(', ');
  return problem('conflict', `${subject} changed the same files: ${named}. ${next}`, {
    issues: paths.slice(0, maxIssues).map((path) => ({
      path,
      code: 'changed-in-both',
      message: `"${path}" was changed ${where}.`,
    })),
  });
}

const maxNamed = 5;
const maxIssues = 100;
