import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './env.ts';
import { listSome } from './lib/list-some.ts';
import { StartProblem } from './open-skills.ts';

/**
 * Looks whether the folders that the environment names are there and can be read.
 *
 * @throws StartProblem with a line for each that is no folder, for a `CONTENTS_DIR` that is not there or
 * holds nothing, and for a folder in it that cannot be read
 */
export function checkFolders(environment: Environment): void {
  const { contentsDirectory, databaseUrl, skillsExtraDirectories, skillsStrict } = environment;
  const wrong = [
    ...faultsOfContents(contentsDirectory, databaseUrl === undefined ? '' : pushFirst),
    ...skillsExtraDirectories.flatMap((path) =>
      faultOf('SKILLS_EXTRA_DIRS', path, {
        missing: skillsStrict ? `Skill path does not exist: ${path}.` : undefined,
        other: `Skill path not found or not a directory: ${path}.`,
      }),
    ),
  ];
  if (wrong.length > 0) {
    throw new StartProblem(wrong.join('\n'));
  }
}

/** Warnings of what cannot be changed. */
export function folderWarnings(environment: Environment): string[] {
  const { contentsDirectory, skillsExtraDirectories } = environment;
  const writable = [join(contentsDirectory, 'skills'), ...skillsExtraDirectories].flatMap(
    worldWritable,
  );
  const fixed = foldersOf(contentsDirectory).filter((path) => !allows(path, constants.W_OK));
  return [
    ...(fixed.length > 0
      ? [
          `${fixed.join(', ')} cannot be written by ${thisUser()} (CONTENTS_DIR). What is there cannot be changed on the pages of /admin; give that user the right to write there if it should be.`,
        ]
      : []),
    ...(writable.length > 0
      ? [
          `Every user of this machine can change skills: ${listSome(writable, maxNamed)} can be written by all. Take that right away: chmod -R o-w FOLDER.`,
        ]
      : []),
  ];
}

/** A start does not look at more folders of one source. */
const maxChecked = 10_000;
const maxNamed = 5;

/** A folder of skills, and those directly in it, that every user of the machine can write. */
function worldWritable(directory: string): string[] {
  if (kindOf(directory) !== 'folder' || !mayRead(directory)) {
    return [];
  }
  const names = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .slice(0, maxChecked)
    .map(({ name }) => join(directory, name));
  return [directory, ...names].filter((path) => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    return process.platform !== 'win32' && (mode & constants.S_IWOTH) !== 0;
  });
}

const pushFirst =
  ' If several servers are to share this database, it holds no configuration yet: run "knowhow push ./contents" first.';

/** @param hint follows what is said of a folder that is missing or empty */
function faultsOfContents(directory: string, hint: string): string[] {
  const takes = `it takes a folder, and ${directory}`;
  const words = { missing: `${takes} is not there.${hint}`, other: `${takes} is no folder.` };
  const fault = faultOf('CONTENTS_DIR', directory, words);
  if (fault.length > 0) {
    return fault;
  }
  const unreadable = foldersOf(directory).filter((path) => !mayRead(path));
  if (unreadable.length > 0) {
    return unreadable.map((path) => cannotBeRead('CONTENTS_DIR', path));
  }
  return foldersOf(directory).slice(1).some(hasEntries)
    ? []
    : [
        `CONTENTS_DIR is wrong: ${directory} holds no configuration and no skills. Look whether it is mounted; copy the folder contents of Knowhow into it, or restore a backup: knowhow restore FILE.${hint}`,
      ];
}

const parts = ['apps', 'config', 'models', 'prompts', 'skills'];

/** Itself and the folders in it that are ours, as far as they can be seen. */
function foldersOf(directory: string): string[] {
  const within = parts.map((part) => join(directory, part));
  return [directory, ...within.filter((path) => kindOf(path) === 'folder')];
}

function hasEntries(path: string): boolean {
  return readdirSync(path).length > 0;
}

interface Words {
  /** Undefined where it may be missing. */
  missing: string | undefined;
  /** What is there is no folder. */
  other: string;
}

function faultOf(name: string, path: string, { missing, other }: Words): string[] {
  switch (kindOf(path)) {
    case 'folder':
      return mayRead(path) ? [] : [cannotBeRead(name, path)];
    case 'missing':
      return missing === undefined ? [] : [`${name} is wrong: ${missing}`];
    case 'other':
      return [`${name} is wrong: ${other}`];
    case 'hidden':
      return [cannotBeRead(name, path)];
  }
}

function cannotBeRead(name: string, path: string): string {
  return `${name} is wrong: ${path} cannot be read by ${thisUser()}. Give that user the right to read it.`;
}

/** As an operator grants rights to it, also in a container, where it often has no other name. */
function thisUser(): string {
  const id = process.getuid?.();
  return id === undefined ? 'the user of the server' : `the user of the server (id ${id})`;
}

function kindOf(path: string): 'folder' | 'other' | 'missing' | 'hidden' {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) {
      return 'missing';
    }
    return found.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'hidden';
  }
}

function mayRead(path: string): boolean {
  return allows(path, constants.R_OK | constants.X_OK);
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
