import { join, relative, sep } from 'node:path';
import { resolveRealPath } from '../../../platform/lib/resolve-real-path.ts';

/** Folders from the environment, all absolute. */
export interface SkillRoots {
  contentsDirectory: string;
  dataDirectory: string;
  /** `SKILLS_EXTRA_DIRS` */
  skillsExtraDirectories: readonly string[];
  /** Extra folders with nested skills. */
  skillsExtraRecursive: readonly string[];
  /** Built-in skills of the product. */
  builtinSkills?: string | undefined;
}

/** Folders of `contents/` with other content. */
const reserved: ReadonlySet<string> = new Set(['apps', 'models', 'prompts', 'config']);

/**
 * Why a configured folder is not allowed as a source of skills, and what to do; undefined if it is
 * allowed. The configuration must not publish arbitrary folders of the host: only a separate folder
 * in `contents/`, or one allowed by `SKILLS_EXTRA_DIRS`. Links are resolved first.
 */
export function refusedFolder(directory: string, roots: SkillRoots): string | undefined {
  const { contentsDirectory, dataDirectory, skillsExtraDirectories } = roots;
  // These come from the operator and may be links to anywhere.
  if (directory === join(contentsDirectory, 'skills')) {
    return undefined;
  }
  const contents = resolveRealPath(contentsDirectory);
  const data = resolveRealPath(dataDirectory);
  const extras = skillsExtraDirectories.map(resolveRealPath);
  const named = [contentsDirectory, contents, ...skillsExtraDirectories, ...extras];
  // Paths outside are not accessed at all: a mount that hangs would block everybody.
  const real = named.some((folder) => isWithin(directory, folder))
    ? resolveRealPath(directory)
    : directory;
  const isInContents = isWithin(real, contents);
  const isInData = isWithin(real, data) && !(isInContents && isWithin(contents, data));
  if (isInData || isWithin(data, real)) {
    return `No skills are read from ${directory}: it is the data folder, contains it, or is in it. Name another folder.`;
  }
  const isAllowed =
    (isInContents && isFree(relative(contents, real))) ||
    extras.some((folder) => isWithin(real, folder));
  return isAllowed
    ? undefined
    : `No skills are read from ${directory}: it is neither a folder of its own in contents/ nor in a folder of SKILLS_EXTRA_DIRS. The server's operator can allow it: SKILLS_EXTRA_DIRS=${directory}`;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Whether a folder is free for skills.
 *
 * @param inContents path relative to `contents/`
 */
export function isFree(inContents: string): boolean {
  const [top = ''] = inContents.split(sep);
  return !(top === '' || top.startsWith('.') || reserved.has(top.toLowerCase()));
}
