import { isAbsolute, join, resolve } from 'node:path';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { refusedFolder, type SkillRoots } from './refused-folder.ts';
import type { SkillSource } from './skill-source.ts';

/** A folder that the configuration or the product names as a source of skills. */
export interface SkillFolder {
  kind: SkillSource['kind'];
  /** Absolute. May itself be a symbolic link; nothing inside may lead out of it. */
  directory: string;
  /** Whether a `SKILL.md` below another skill's folder is a skill of its own as well. */
  recursive: boolean;
}

/** A folder that the configuration names and that has no effect. */
export interface RefusedSource {
  /** In `config/skills.json`. */
  field: string;
  directory: string;
  /** Why, and what to do. */
  message: string;
}

export interface SkillSources {
  local: SkillFolder;
  /** The folders of `settings.sources`, by the field that names them, without those refused. */
  configured: ReadonlyMap<string, string>;
  /** All in their precedence, the local one first. */
  sources: SkillFolder[];
  refused: RefusedSource[];
}

/**
 * The sources in their precedence: the local folder, then the configured and the environment's extra
 * ones, then what the product brings; all but the first are only read. A configured path that begins with `contents/` is in the contents folder.
 * In place of a local folder that is refused there is `contents/skills`.
 */
export function skillSources(config: SkillsConfig, roots: SkillRoots): SkillSources {
  const { contentsDirectory, skillsExtraDirectories, skillsExtraRecursive, builtinSkills } = roots;
  const { skillsDirectory = 'contents/skills', sources = [] } = config.settings ?? {};
  const absolute = (path: string) =>
    isAbsolute(path)
      ? resolve(path)
      : resolve(contentsDirectory, path.replace(/^contents(?:\/|$)/, './'));
  const refused: RefusedSource[] = [];
  const isUsed = (directory: string, field: string) => {
    const message = refusedFolder(directory, roots);
    if (message !== undefined) {
      refused.push({ field, directory, message });
    }
    return message === undefined;
  };
  const wanted = absolute(skillsDirectory);
  const local: SkillFolder = {
    kind: 'local',
    directory: isUsed(wanted, 'settings.skillsDirectory')
      ? wanted
      : join(contentsDirectory, 'skills'),
    recursive: false,
  };
  const configured = new Map<string, SkillFolder>();
  for (const [index, source] of sources.entries()) {
    const { path, recursive } = typeof source === 'string' ? { path: source } : source;
    const field = `settings.sources.${index}${typeof source === 'string' ? '' : '.path'}`;
    if (isUsed(absolute(path), field)) {
      configured.set(field, extra(absolute(path), recursive ?? false));
    }
  }
  const others = skillsExtraDirectories.map((directory) =>
    extra(directory, skillsExtraRecursive.includes(directory)),
  );
  const builtin: SkillFolder[] =
    builtinSkills === undefined
      ? []
      : [{ kind: 'builtin', directory: builtinSkills, recursive: false }];
  return {
    local,
    configured: new Map([...configured].map(([field, { directory }]) => [field, directory])),
    sources: [local, ...configured.values(), ...others, ...builtin],
    refused,
  };
}

function extra(directory: string, recursive: boolean): SkillFolder {
  return { kind: 'extra', directory, recursive };
}
