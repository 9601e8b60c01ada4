import { stat } from 'node:fs/promises';
import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import { maxSkillUpload } from '@knowhow/shared/skills/skill-archives';
import { limitConcurrency } from '../../../platform/lib/limit-concurrency.ts';
import { toReadProblem } from '../../../platform/lib/read-problem.ts';
import { runWorker, WorkerFailed } from '../../../platform/lib/run-worker.ts';
import { workerAddress } from '../../../platform/lib/worker-address.ts';
import type { UnpackedEntries } from './unpack-entries.ts';
import type { ArchiveHint, UnpackFormat } from './unpack-format.ts';
import { defaultSizeLimits, inMebibytes, type SizeLimits } from './unpack-limits.ts';
import type { ArchivedSkill } from './unpack-skills.ts';

/** The content of an archive. */
export interface ReadArchive extends UnpackedEntries {
  format: UnpackFormat;
  skills: ArchivedSkill[];
}

/** Task for the worker. */
export interface UnpackTask {
  /** Its bytes, or the path of its file. */
  archive: Uint8Array<ArrayBuffer> | string;
  hint: ArchiveHint;
  limits: SizeLimits;
}

/** Answer of the worker. A problem cannot be cloned between threads. */
export type UnpackAnswer =
  | { archive: ReadArchive }
  | { refused: { message: string; issues: ProblemIssue[] | undefined } };

/** Each may need the memory of `keptLimits`, and about 100 MB more. */
const twoAtOnce = limitConcurrency(2);
const workerLimits = { timeLimit: 60_000, heapLimit: 256 };

/**
 * Reads an archive of skills: a zip, a tar.gz, a portable JSON or a bare `SKILL.md`, distinguished
 * by content. Works in a worker thread, so that nothing blocks. Throws a problem that lists all issues.
 *
 * @param source its bytes, or the path of its file
 */
export async function readArchive(
  source: Uint8Array | string,
  hint: ArchiveHint,
  limits: SizeLimits = defaultSizeLimits,
): Promise<ReadArchive> {
  const size = typeof source === 'string' ? await sizeOf(source) : source.length;
  if (size > maxSkillUpload) {
    throw problem(
      'too-large',
      `The archive is larger than ${inMebibytes(maxSkillUpload)}. Split it into several.`,
    );
  }
  const archive = typeof source === 'string' ? source : new Uint8Array(source);
  const answer = await twoAtOnce(() => unpack({ archive, hint, limits }));
  if ('refused' in answer) {
    const { message, issues = [] } = answer.refused;
    throw problem('invalid-archive', message, { issues });
  }
  return answer.archive;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw toReadProblem(error, path);
  }
}

async function unpack(task: UnpackTask): Promise<UnpackAnswer> {
  const transferList = typeof task.archive === 'string' ? [] : [task.archive.buffer];
  try {
    const address = workerAddress('unpack-archive-worker');
    return await runWorker<UnpackAnswer>(address, { data: task, transferList, ...workerLimits });
  } catch (cause) {
    if (typeof task.archive === 'string' && isSystemError(cause)) {
      throw toReadProblem(cause.cause, task.archive);
    }
    const message = 'Reading it took more time or memory than an archive may take.';
    const issues = [{ path: '', code: 'too-expensive', message }];
    const sentence = `The archive is refused. ${message} Pack less into it.`;
    throw problem('invalid-archive', sentence, { issues, cause });
  }
}

/** Whether the worker failed because the system refused a call, not because it had too much to do. */
function isSystemError(error: unknown): error is WorkerFailed {
  return error instanceof WorkerFailed && error.cause instanceof Error && 'syscall' in error.cause;
}
