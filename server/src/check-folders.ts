import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './env.ts';
import { StartupError } from './open-skills.ts';
import { listSome } from './platform/lib/list-some.ts';

/**
 * Checks that the configured folders exist and are readable.
 *
 * @throws StartProblem with a line for each invalid folder, and for a missing, empty or unreadable
 *   `CONTENTS_DIR`
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
    throw new StartupError(wrong.join('\n'));
  }
}

/** Warnings about file permissions. */
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

/** Maximum folders checked per source. */
const maxChecked = 10_000;
const maxNamed = 5;

/** A folder of skills and its direct children that are world-writable. */
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
  ' If several servers are to share this database, it contains no configuration yet: run "knowhow push ./contents" first.';

/** @param hint appended if a folder is missing or empty */
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
        `CONTENTS_DIR is wrong: ${directory} contains no configuration and no skills. Check whether it is mounted; copy the folder contents of Knowhow into it, or restore a backup: knowhow restore FILE.${hint}`,
      ];
}

const parts = ['apps', 'config', 'models', 'prompts', 'skills'];

/** The folder and its known subfolders, as far as visible. */
function foldersOf(directory: string): string[] {
  const within = parts.map((part) => join(directory, part));
  return [directory, ...within.filter((path) => kindOf(path) === 'folder')];
}

function hasEntries(path: string): boolean {
  return readdirSync(path).length > 0;
}

interface Words {
  /** Undefined if it may be missing. */
  missing: string | undefined;
  /** The path is not a folder. */
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

/** By ID, for granting permissions: in a container, the user often has no name. */
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
