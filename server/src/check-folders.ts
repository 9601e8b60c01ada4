import { statSync } from 'node:fs';
import type { Environment } from './env.ts';
import { StartProblem } from './open-skills.ts';

/**
 * Looks whether the folders that the environment names are there.
 *
 * @throws StartProblem with a line for each that is no folder, and for a `CONTENTS_DIR` that is not there
 */
export function checkFolders(environment: Environment): void {
  const { contentsDirectory, skillsExtraDirectories, skillsStrict } = environment;
  const wrong = [
    ...faultOf('CONTENTS_DIR', contentsDirectory, { mayBeMissing: false }),
    ...skillsExtraDirectories.flatMap((path) =>
      faultOf('SKILLS_EXTRA_DIRS', path, { mayBeMissing: !skillsStrict }),
    ),
  ];
  if (wrong.length > 0) {
    throw new StartProblem(wrong.join('\n'));
  }
}

/** A warning for each folder of skills that is not there, and may come yet. */
export function missingFolders({ skillsExtraDirectories }: Environment): string[] {
  return skillsExtraDirectories
    .filter((path) => kindOf(path) === 'missing')
    .map(
      (path) =>
        `There is no folder ${path} (SKILLS_EXTRA_DIRS). Its skills are read once it is there.`,
    );
}

function faultOf(name: string, path: string, { mayBeMissing }: { mayBeMissing: boolean }) {
  const kind = kindOf(path);
  if (kind === 'folder' || (kind === 'missing' && mayBeMissing)) {
    return [];
  }
  const found = kind === 'missing' ? 'is not there' : 'is no folder';
  return [`${name} is wrong: it takes a folder, and ${path} ${found}.`];
}

function kindOf(path: string): 'folder' | 'other' | 'missing' {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) {
    return 'missing';
  }
  return found.isDirectory() ? 'folder' : 'other';
}
