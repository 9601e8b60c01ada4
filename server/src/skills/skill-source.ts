import { isAbsolute, resolve } from 'node:path';
import type { SkillsConfig } from '@knowhow/shared/skills-config';

/** A folder that skills come from. Of two skills with one name the earlier source's counts. */
export interface SkillSource {
  kind: 'local' | 'plugin' | 'extra' | 'builtin';
  /** Absolute. May itself be a symbolic link; nothing inside may lead out of it. */
  directory: string;
  /** Whether a `SKILL.md` below another skill's folder is a skill of its own as well. */
  recursive: boolean;
}

/**
 * The sources in their precedence: the local folder, then the configured and the environment's extra
 * ones, which are only read. A configured path that begins with `contents/` lies in the contents folder.
 */
export function skillSources(
  config: SkillsConfig,
  contentsDirectory: string,
  extraDirectories: readonly string[],
): SkillSource[] {
  const { skillsDirectory = 'contents/skills', sources = [] } = config.settings ?? {};
  const place = (path: string) =>
    isAbsolute(path) ? path : resolve(contentsDirectory, path.replace(/^contents(?:\/|$)/, './'));
  const extra = (directory: string, recursive: boolean): SkillSource => ({
    kind: 'extra',
    directory,
    recursive,
  });
  return [
    { kind: 'local', directory: place(skillsDirectory), recursive: false },
    ...sources.map(({ path, recursive }) => extra(place(path), recursive ?? false)),
    ...extraDirectories.map((directory) => extra(directory, false)),
  ];
}
