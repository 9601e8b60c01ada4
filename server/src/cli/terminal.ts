import type { SizeLimits } from '../archives/unpack-limits.ts';
import type { RunnerSettings } from '../runner/runner-settings.ts';
import type { ScanLimits } from '../skill-store/scan-limits.ts';

/** Where a command writes and asks, and what it works on. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  /** The folder of skills of this installation. */
  skillsFolder(): string;
  /** How much of a folder of skills this installation looks into. */
  skillLimits(): ScanLimits;
  /** How much a skill may hold that this installation takes. */
  sizeLimits(): SizeLimits;
  installation(): Installation;
  runner(): RunnerInstallation;
  /** All of the standard input. */
  input(): Promise<string>;
  /** What is typed in answer to a question; undefined where nobody can answer. */
  ask(question: string): Promise<string | undefined>;
}

/** What of the environment a runner of scripts needs. */
export interface RunnerInstallation {
  host: string;
  port: number;
  dataDirectory: string;
  scriptRunner: RunnerSettings;
  /** Ends it. */
  stop: AbortSignal;
}

/** The folders a server works on, and what its environment says, whether it runs or not. */
export interface Installation {
  contentsDirectory: string;
  dataDirectory: string;
  databaseUrl?: string | undefined;
  skillsExtraDirectories: readonly string[];
  skillsExtraRecursive: readonly string[];
  adminPassword: string | undefined;
  /** The environment's, for placeholders in configuration files. */
  variables: Record<string, string | undefined>;
  /** Origins that may get keys of models besides the vendors' own and this machine. */
  modelHosts?: readonly string[];
  /** Of the application. */
  version: string;
}
