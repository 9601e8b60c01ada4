import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import type { LeftOut } from '@knowhow/shared/skills/left-out';
import { maxSkillUpload } from '@knowhow/shared/skills/skill-archives';
import type { PackedFile } from '@knowhow/skill-format';
import { limitConcurrency } from '../../../platform/lib/limit-concurrency.ts';
import { runWorker } from '../../../platform/lib/run-worker.ts';
import { workerAddress } from '../../../platform/lib/worker-address.ts';
import type { ArchiveHint, UnpackFormat } from './unpack-format.ts';
import { defaultSizeLimits, inMebibytes, type SizeLimits } from './unpack-limits.ts';
import type { UnpackedFiles } from './unpack-skills.ts';

/** The content of an archive. */
export interface ReadArchive {
  format: UnpackFormat;
  skills: ArchivedSkill[];
  /**
   * Skipped entries, such as `__MACOSX/`, and files outside of the skills that are not in `others`.
   */
  leftOut: LeftOut[];
  /** Files outside of the skills, by their path in the archive, if requested. */
  others: PackedFile[];
}

export interface ArchivedSkill extends UnpackedFiles {
  /** The proposed folder name. */
  folder: string;
}

/** Task for the worker. */
export interface UnpackTask {
  bytes: Uint8Array<ArrayBuffer>;
  hint: ArchiveHint;
  limits: SizeLimits;
}

/** Answer of the worker. A problem cannot be cloned between threads. */
export type UnpackAnswer =
  | { archive: ReadArchive }
  | { refused: { message: string; issues: ProblemIssue[] | undefined } };

/** Each may need about 150 MB of memory. */
const twoAtOnce = limitConcurrency(2);
const workerLimits = { timeLimit: 20_000, heapLimit: 256 };

/**
 * Reads an archive of skills: a zip, a tar.gz, a portable JSON or a bare `SKILL.md`, distinguished
 * by content. Works in memory in a worker thread, so that nothing blocks. Throws a problem that
 * lists all issues.
 */
export async function readArchive(
  bytes: Uint8Array,
  hint: ArchiveHint,
  limits: SizeLimits = defaultSizeLimits,
): Promise<ReadArchive> {
  if (bytes.length > maxSkillUpload) {
    throw problem(
      'too-large',
      `The archive is larger than ${inMebibytes(maxSkillUpload)}. Split it into several.`,
    );
  }
  const answer = await twoAtOnce(() => unpack({ bytes: new Uint8Array(bytes), hint, limits }));
  if ('refused' in answer) {
    const { message, issues = [] } = answer.refused;
    throw problem('invalid-archive', message, { issues });
  }
  return answer.archive;
}

async function unpack(task: UnpackTask): Promise<UnpackAnswer> {
  const transferList = [task.bytes.buffer];
  try {
    const address = workerAddress('unpack-archive-worker');
    return await runWorker<UnpackAnswer>(address, { data: task, transferList, ...workerLimits });
  } catch (cause) {
    const message = 'Reading it took more time or memory than an archive may take.';
    const issues = [{ path: '', code: 'too-expensive', message }];
    const sentence = `The archive is refused. ${message} Pack less into it.`;
    throw problem('invalid-archive', sentence, { issues, cause });
  }
}
