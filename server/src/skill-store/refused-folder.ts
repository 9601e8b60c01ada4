import { join, relative, sep } from 'node:path';
import { realPathOf } from '../lib/real-path-of.ts';

/** What the environment says of folders. All are absolute. */
export interface SkillRoots {
  contentsDirectory: string;
  dataDirectory: string;
  /** `SKILLS_EXTRA_DIRS` */
  skillsExtraDirectories: readonly string[];
  /** Those of them in which a skill may be inside of another. */
  skillsExtraRecursive: readonly string[];
  /** What the product brings. */
  builtinSkills?: string | undefined;
}

/** Folders of `contents/` that hold something else. */
const taken: ReadonlySet<string> = new Set(['apps', 'models', 'prompts', 'config']);

/**
 * Why skills are not read from a folder that the configuration names, and what to do; undefined when they
 * are. Whoever writes the configuration must not publish any folder of the machine: it is in
 * `contents/`, in a folder of its own, or where `SKILLS_EXTRA_DIRS` says. Links are followed first.
 */
export function refusedFolder(directory: string, roots: SkillRoots): string | undefined {
  const { contentsDirectory, dataDirectory, skillsExtraDirectories } = roots;
  // It is not the configuration that says so; and it may be a link to wherever the operator likes.
  if (directory === join(contentsDirectory, 'skills')) {
    return undefined;
  }
  const contents = realPathOf(contentsDirectory);
  const data = realPathOf(dataDirectory);
  const extras = skillsExtraDirectories.map(realPathOf);
  const named = [contentsDirectory, contents, ...skillsExtraDirectories, ...extras];
  // What does not even pretend to be there is not looked at: a mount that hangs would hold everybody up.
  const real = named.some((folder) => isWithin(directory, folder))
    ? realPathOf(directory)
    : directory;
  const isInContents = isWithin(real, contents);
  const isInData = isWithin(real, data) && !(isInContents && isWithin(contents, data));
  if (isInData || isWithin(data, real)) {
    return `No skills are read from ${directory}: it is the data folder, or has to do with it. Name another folder.`;
  }
  const isAllowed =
    (isInContents && isFree(relative(contents, real))) ||
    extras.some((folder) => isWithin(real, folder));
  return isAllowed
    ? undefined
    : `No skills are read from ${directory}: it is neither a folder of its own in contents/ nor in a folder of SKILLS_EXTRA_DIRS. Whoever runs the server can allow it: SKILLS_EXTRA_DIRS=${directory}`;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** @param inContents the path of a folder, relative to `contents/` */
export function isFree(inContents: string): boolean {
  const [top = ''] = inContents.split(sep);
  return !(top === '' || top.startsWith('.') || taken.has(top.toLowerCase()));
}
