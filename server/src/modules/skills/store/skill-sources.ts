import { isAbsolute, join, resolve } from 'node:path';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { refusedFolder, type SkillRoots } from './refused-folder.ts';
import type { SkillSource } from './skill-source.ts';

/** A folder that the configuration or the product names as a source of skills. */
export interface SkillFolder {
  kind: SkillSource['kind'];
  /** Absolute. May be a symbolic link; nothing inside may lead out of it. */
  directory: string;
  /** Whether nested skills below another skill's folder are found, too. */
  recursive: boolean;
}

/** A configured folder that is not allowed. */
export interface RefusedSource {
  /** In `config/skills.json`. */
  field: string;
  directory: string;
  /** Why, and what to do. */
  message: string;
}

export interface SkillSources {
  local: SkillFolder;
  /** The folders of `settings.sources`, by field, without those refused. */
  configured: ReadonlyMap<string, string>;
  /** All sources in order of precedence, the local one first. */
  sources: SkillFolder[];
  refused: RefusedSource[];
}

/**
 * The sources in order of precedence: the local folder, then the extra folders of configuration and
 * environment, then the built-in ones. Only the first is writable. A configured path that begins
 * with `contents/` is in the contents folder. If the local folder is refused, `contents/skills` is
 * used.
 */
export function skillSources(config: SkillsConfig, roots: SkillRoots): SkillSources {
  const { contentsDirectory, skillsExtraDirectories, skillsExtraRecursive, builtinSkills } = roots;
  const { skillsDirectory, sources } = config.settings;
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
