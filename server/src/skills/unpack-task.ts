import type { ProblemIssue } from '@knowhow/shared/problem';
import type { ReadArchive } from './read-archive.ts';
import type { ArchiveHint } from './unpack-format.ts';
import type { SizeLimits } from './unpack-limits.ts';

/** What the worker is given. */
export interface UnpackTask {
  bytes: Uint8Array<ArrayBuffer>;
  hint: ArchiveHint;
  limits: SizeLimits;
}

/** What it answers: a problem cannot cross over as it is. */
export type UnpackAnswer =
  | { archive: ReadArchive }
  | { refused: { message: string; issues: ProblemIssue[] | undefined } };
