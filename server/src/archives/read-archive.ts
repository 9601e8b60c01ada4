import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import type { LeftOut } from '@knowhow/shared/skills/left-out';
import { maxSkillUpload } from '@knowhow/shared/skills/skill-archives';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import { runWorker } from '../lib/run-worker.ts';
import { workerAddress } from '../lib/worker-address.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';
import type { ArchiveHint, UnpackFormat } from './unpack-format.ts';
import { defaultSizeLimits, inMebibytes, type SizeLimits } from './unpack-limits.ts';
import type { UnpackedFiles } from './unpack-skills.ts';

/** What was in an archive. */
export interface ReadArchive {
  format: UnpackFormat;
  skills: ArchivedSkill[];
  /** Entries that are not taken: such as `__MACOSX/`, or outside of the skills and not among `others`. */
  leftOut: LeftOut[];
  /** Files outside of the skills, by their path in the archive: where they are asked for. */
  others: PackedFile[];
}

export interface ArchivedSkill extends UnpackedFiles {
  /** The name proposed for its folder. */
  folder: string;
}

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

/** Each may take some 150 MB of memory. */
const twoAtOnce = limitConcurrency(2);
const workerLimits = { timeLimit: 20_000, heapLimit: 256 };

/**
 * Reads an archive of skills: a zip, a tar.gz, a portable JSON or a bare `SKILL.md`, distinguished by
 * what is in them. Touches no disk, and works in a thread of its own so that nobody else waits.
 * Throws a problem that lists everything wrong with it.
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
  const handedOver = [task.bytes.buffer];
  try {
    const address = workerAddress('unpack-archive-worker');
    return await runWorker<UnpackAnswer>(address, { data: task, handedOver, ...workerLimits });
  } catch (cause) {
    const message = 'Reading it took more time or memory than an archive may take.';
    const issues = [{ path: '', code: 'too-expensive', message }];
    const sentence = `The archive is refused. ${message} Pack less into it.`;
    throw problem('invalid-archive', sentence, { issues, cause });
  }
}
