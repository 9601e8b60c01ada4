import type { RunnerTier } from '@knowhow/shared/config/runner';
import type { RunLimits } from './run-limits.ts';

/** What a script is written for. */
export const scriptKinds = ['python', 'sh', 'node'] as const;
export type ScriptKind = (typeof scriptKinds)[number];

/** Versions of what the runner can run, such as `3.11.2`; what is not in it is not there. */
export type Runtimes = Readonly<Partial<Record<ScriptKind, string>>>;

/** Runs scripts where they can neither see nor change anything but what they are given. */
export interface Runner {
  readonly tier: RunnerTier;
  readonly runtimes: Runtimes;
  /** `away`: it cannot be reached now. */
  readonly status: 'ready' | 'away';
  /**
   * Runs one script and waits until nothing of it runs any more. However it ends is a result.
   *
   * @param signal ends everything that the script has begun
   * @throws `RunnerFailure` when it could not be run at all
   */
  run(job: ScriptJob, signal: AbortSignal): Promise<ScriptResult>;
}

export interface JobFile {
  /** Relative, with forward slashes. */
  path: string;
  bytes: Uint8Array;
  executable?: boolean;
}

export interface ScriptJob {
  kind: ScriptKind;
  /** All files of the skill: they are at `/skill`, read only. */
  skill: { id: string; files: readonly JobFile[] };
  /** Path of one of these files. */
  script: string;
  args: readonly string[];
  stdin?: string;
  /** In the folder `in/` of the work folder, read only. */
  files?: readonly JobFile[];
  limits?: Partial<RunLimits>;
}

/** `exit`: by itself. All else: it was killed, and left no files. */
export type RunEnd = 'exit' | 'time' | 'memory' | 'output' | 'stopped';

export interface ScriptResult {
  end: RunEnd;
  /** 128 and the number of the signal when a signal ended it; null where `end` is not `exit`. */
  exitCode: number | null;
  /** Such as `SIGSEGV`. */
  signal?: string;
  /** What was written, up to a limit: beginning and end where it was more. */
  stdout: string;
  stderr: string;
  /** What was left in the work folder. */
  files: ScriptFile[];
  /** What was left there and is not taken, and why. */
  leftOut: LeftOutFile[];
  /** How long it took, with everything around it. */
  ms: number;
}

export interface ScriptFile {
  /** Relative to the work folder, with forward slashes; made of harmless characters. */
  path: string;
  bytes: Uint8Array;
}

export interface LeftOutFile {
  /** As far as it can be shown. */
  path: string;
  why: 'name' | 'kind' | 'too large' | 'too many';
}

/** The runner could not run a script: nothing that the script has done. */
export class RunnerFailure extends Error {
  override readonly name = 'RunnerFailure';
}
