import type { RunnerTier } from '@knowhow/shared/config/runner';
import type { RunLimits } from './run-limits.ts';

export const scriptKinds = ['python', 'sh', 'node'] as const;
export type ScriptKind = (typeof scriptKinds)[number];

/** Versions of the supported interpreters, such as `3.11.2`; others are missing. */
export type Runtimes = Readonly<Partial<Record<ScriptKind, string>>>;

/** Runs scripts in isolation: they can see and change only what they are given. */
export interface Runner {
  readonly tier: RunnerTier;
  readonly runtimes: Runtimes;
  /** `away`: currently unreachable. */
  readonly status: 'ready' | 'away';
  /**
   * Runs a script and waits until all its processes have ended. Any outcome of the script is a
   * result.
   *
   * @param signal kills everything the script has started
   * @throws `RunnerFailure` if it could not be run
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
  /** All files of the skill, read-only at `/skill`. */
  skill: { id: string; files: readonly JobFile[] };
  /** Path of one of these files. */
  script: string;
  args: readonly string[];
  stdin?: string;
  /** Read-only in the folder `in/` of the work folder. */
  files?: readonly JobFile[];
  limits?: Partial<RunLimits>;
}

/** `exit`: it exited. Otherwise it was killed, and its files are discarded. */
export type RunEnd = 'exit' | 'time' | 'memory' | 'output' | 'stopped';

export interface ScriptResult {
  end: RunEnd;
  /** 128 plus the signal number if a signal ended it; null unless `end` is `exit`. */
  exitCode: number | null;
  /** Such as `SIGSEGV`. */
  signal?: string;
  /** Truncated in the middle if too long. */
  stdout: string;
  stderr: string;
  /** Files left in the work folder. */
  files: ScriptFile[];
  /** Files that were rejected, with the reason. */
  leftOut: LeftOutFile[];
  /** Total duration in milliseconds, including overhead. */
  ms: number;
}

export interface ScriptFile {
  /** Relative to the work folder, with forward slashes; only safe characters. */
  path: string;
  bytes: Uint8Array;
}

export interface LeftOutFile {
  /** Sanitized for display. */
  path: string;
  why: 'name' | 'kind' | 'too large' | 'too many';
}

/** The runner failed; not an error of the script. */
export class RunnerFailure extends Error {
  override readonly name = 'RunnerFailure';
}
