import { reveal, type ScanLimits, type SizeLimits } from '../modules/skills/index.ts';
import type { RunnerSettings } from '../modules/tools/index.ts';

/** Input and output of a command, and the installation it works on. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  /** The skill folder of this installation. */
  skillsFolder(): string;
  /** Scan limits of this installation. */
  skillLimits(): ScanLimits;
  /** Size limits of skills in this installation. */
  sizeLimits(): SizeLimits;
  /** The API key for another installation: `KNOWHOW_KEY`. */
  key(): string | undefined;
  installation(): Installation;
  runner(): RunnerInstallation;
  /** Reads standard input to the end. */
  input(): Promise<string>;
  /** The typed answer; undefined without a terminal. */
  ask(question: string): Promise<string | undefined>;
}

/** Settings of a script runner. */
export interface RunnerInstallation {
  host: string;
  port: number;
  dataDirectory: string;
  scriptRunner: RunnerSettings;
  /** Stops the runner. */
  stop: AbortSignal;
}

/** The folders and environment of an installation, whether its server runs or not. */
export interface Installation {
  contentsDirectory: string;
  dataDirectory: string;
  databaseUrl?: string | undefined;
  skillsExtraDirectories: readonly string[];
  skillsExtraRecursive: readonly string[];
  adminPassword: string | undefined;
  /** The environment, for placeholders in configuration files. */
  variables: Record<string, string | undefined>;
  /** Additional origins that may receive model API keys. */
  modelHosts?: readonly string[];
  /** Application version. */
  version: string;
}

/** Text from elsewhere for a terminal: on one line, with control characters made visible. */
export function toLine(text: string): string {
  return reveal(text.replace(/\s+/g, ' '));
}
