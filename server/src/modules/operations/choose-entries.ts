import { posix } from 'node:path';
import type { BackupPart } from '@knowhow/shared/config/backup';
import { problem } from '@knowhow/shared/problem';
import { slug } from '@knowhow/shared/skills/skill-name';
import { type AllowedVariables, itemFiles, stageFiles } from '../content/index.ts';
import { getPart, isPart, pathOfEntry, validateBackupPath } from './backup-paths.ts';

/** The selection that is restored or exported. */
export interface Choice {
  /** Parts and entries by their names in a backup: `skills/pdf`, `apps/chat.json`. */
  names: readonly string[];
  hasPart(part: BackupPart): boolean;
  /** Whether a file or entry is selected. */
  covers(path: string): boolean;
}

/** One side of a comparison: paths of files, and the folder of their configuration. */
export interface Side {
  paths: readonly string[];
  /** A `contents/` folder. */
  contentsDirectory: string;
}

/** A selection of parts and entries, whether they exist or not. */
export function createChoice(names: readonly string[]): Choice {
  const all = new Set(names);
  const chosen = [...all].filter((name) => !parentFolders(name).some((one) => all.has(one)));
  const parts = new Set(chosen.filter(isPart));
  const entries = new Set(chosen.filter((name) => !isPart(name)).map(pathOfEntry));
  return {
    names: chosen,
    hasPart: (part) => parts.has(part),
    covers: (path) => {
      const part = getPart(path);
      const isInPart = part !== undefined && parts.has(part);
      return isInPart || [path, ...parentFolders(path)].some((one) => entries.has(one));
    },
  };
}

/**
 * Resolves single items: an app by ID, a skill by name. Entries of other sides with the same ID are selected too,
 * because the item would exist twice otherwise.
 *
 * @param from the side that must contain the items
 */
export async function chooseEntries(
  names: readonly string[],
  { from, others, variables }: { from: Side; others: readonly Side[]; variables: AllowedVariables },
): Promise<Choice> {
  const chosen: string[] = [];
  for (const name of names) {
    if (isPart(name)) {
      chosen.push(name);
      continue;
    }
    const found = await findEntries(name, from, variables);
    if (found.length === 0) {
      throw problem(
        'invalid-request',
        `"${name}" is neither a part nor an item of this backup. Choose parts such as "skills", or items such as "skills/<name>".`,
        { issues: [{ path: 'only', code: 'not-found', message: `There is no "${name}" in it.` }] },
      );
    }
    chosen.push(...found);
    for (const side of others) {
      chosen.push(...(await findEntries(name, side, variables)));
    }
  }
  return createChoice(chosen);
}

async function findEntries(
  name: string,
  side: Side,
  variables: AllowedVariables,
): Promise<string[]> {
  const path = pathOfEntry(name);
  if (!isEntry(name)) {
    return [];
  }
  const exists = side.paths.some((one) => one === path || one.startsWith(`${path}/`));
  const [part, ...rest] = name.split('/');
  const id = rest.join('/');
  const found = await findItemNames(side, { part, id, variables });
  return [...new Set([...(exists ? [name] : []), ...found])];
}

interface Item {
  part: string | undefined;
  id: string;
  variables: AllowedVariables;
}

async function findItemNames(side: Side, { part, id, variables }: Item): Promise<string[]> {
  if (part === 'apps' || part === 'models' || part === 'prompts') {
    const directory = side.contentsDirectory;
    const items = await itemFiles({
      files: stageFiles(directory),
      folder: part,
      variables: () => variables,
    }).list();
    return items.filter((item) => item.id === id).map((item) => item.path);
  }
  return part === 'skills' ? skillFolders(side.paths, id) : [];
}

/** Folders of the skills with that name. */
function skillFolders(paths: readonly string[], id: string): string[] {
  return paths
    .filter((path) => path.startsWith('contents/skills/') && /\/skill\.md$/i.test(path))
    .map((path) => posix.dirname(path).slice('contents/'.length))
    .filter((folder) => folder !== 'skills' && slug(posix.basename(folder)) === id);
}

/** Whether something is a valid name of a single item. */
export function isEntry(name: string): boolean {
  const part = partName(name);
  return isPart(part) && part === getPart(`${pathOfEntry(name)}`) && !validateBackupPath(name);
}

function partName(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

/** Parent folders of a path. */
export function parentFolders(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
}
