import { isDeepStrictEqual } from 'node:util';
import { platformConfigSchema } from '@knowhow/shared/config/platform';
import { toolsConfigSchema } from '@knowhow/shared/config/tools-config';
import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import { skillSourcesFileSchema } from '@knowhow/shared/skills/skill-sources';
import { skillsConfigSchema } from '@knowhow/shared/skills/skills-config';
import type { z } from 'zod';
import { configIssues } from './config-issues.ts';
import type { Contents } from './contents.ts';
import type { RawConfig } from './raw-config.ts';
import type { StagedFiles } from './staged-files.ts';

/** Computes the new content of a file; may modify its argument. */
export type Change = (raw: RawConfig) => RawConfig;

/** The result of a change. */
export interface ConfigChange {
  /** Undefined if the file is new; text if it was not a JSON object. */
  before: unknown;
  /** Undefined if it was deleted. */
  after: RawConfig | undefined;
  /** False if nothing changed; then nothing was written. */
  changed: boolean;
}

/** A configuration file, by its path in `contents/`. */
export interface ConfigFile {
  path: string;
  schema: z.ZodType;
}

export const platformFile: ConfigFile = {
  path: 'config/platform.json',
  schema: platformConfigSchema,
};
export const skillsFile: ConfigFile = { path: 'config/skills.json', schema: skillsConfigSchema };
export const skillSourcesFile: ConfigFile = {
  path: 'config/skill-sources.json',
  schema: skillSourcesFileSchema,
};
export const sourcesLockPath = 'config/skill-sources-lock.json';
export const toolsFile: ConfigFile = { path: 'config/tools.json', schema: toolsConfigSchema };

export async function updateConfigFile(
  { path, schema }: ConfigFile,
  { files, contents }: { files: StagedFiles; contents: Contents },
  change: Change,
): Promise<ConfigChange> {
  const file = await files.read(path);
  const before = file ? file.config : {};
  const after = changed(before, change, path);
  refuseFile(configIssues(after, { schema, ...contents }), path);
  if (isDeepStrictEqual(before, after)) {
    return { before, after, changed: false };
  }
  files.write(path, { before: file?.text, config: after });
  return { before, after, changed: true };
}

/**
 * Replaces a file that only the server writes. Does not format it like the old text: with thousands of entries, that
 * would block the server. Throws `conflict` if the file cannot be read.
 */
export async function replaceConfigFile(
  path: string,
  files: StagedFiles,
  change: Change,
): Promise<void> {
  const file = await files.read(path);
  const before = file ? file.config : {};
  if (!before) {
    throw problem('conflict', `contents/${path} is no JSON object. Restore or delete it.`);
  }
  const after = change(before);
  if (!isDeepStrictEqual(before, after)) {
    files.write(path, { before: undefined, config: after });
  }
}

/** Applies a change. The result is as if read back: undefined fields are dropped. */
export function changed(before: RawConfig | undefined, change: Change, path: string): RawConfig {
  if (!before) {
    throw problem('conflict', `contents/${path} is no JSON object. Fix it in a text editor first.`);
  }
  return JSON.parse(JSON.stringify(change(structuredClone(before)))) as RawConfig;
}

/** Throws `conflict` for an existing mistake, because the file could not be used after the change either. */
export function refuseFile([first]: ProblemIssue[], path: string): void {
  if (first) {
    throw problem(
      'conflict',
      `contents/${path} has a mistake, in ${first.path}: ${first.message} Fix that first.`,
    );
  }
}
