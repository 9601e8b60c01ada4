import { posix } from 'node:path';
import type { BackupPart } from '@knowhow/shared/config/backup';
import { problem } from '@knowhow/shared/problem';
import type { AllowedVariables } from '../content/allowed-variables.ts';
import { itemFiles } from '../content/item-files.ts';
import { stageFiles } from '../content/staged-files.ts';
import { slug } from '../skill-format/skill-format.ts';
import { faultOfBackupPath, isPart, partOf, pathOfEntry } from './backup-paths.ts';

/** What of a backup is restored or exported. */
export interface Choice {
  /** Parts, and entries as they are called in a backup: `skills/pdf`, `apps/chat.json`. */
  names: readonly string[];
  hasPart(part: BackupPart): boolean;
  /** Whether a file, or an entry, belongs to it. */
  covers(path: string): boolean;
}

/** One side of a choice: files by path, and where their configuration is. */
export interface Side {
  paths: readonly string[];
  /** A `contents/`. */
  contentsDirectory: string;
}

/** Parts and entries, whether they are there or not. */
export function choiceOf(names: readonly string[]): Choice {
  const all = new Set(names);
  const chosen = [...all].filter((name) => !foldersOver(name).some((one) => all.has(one)));
  const parts = new Set(chosen.filter(isPart));
  const entries = new Set(chosen.filter((name) => !isPart(name)).map(pathOfEntry));
  return {
    names: chosen,
    hasPart: (part) => parts.has(part),
    covers: (path) => {
      const part = partOf(path);
      const isInPart = part !== undefined && parts.has(part);
      return isInPart || [path, ...foldersOver(path)].some((one) => entries.has(one));
    },
  };
}

/**
 * Finds what single items are called: an app by its id, a skill by its name. What one side has under
 * the same id elsewhere is chosen too, since it would be there twice.
 *
 * @param from where it has to be; what is only in the others is not found
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
    const found = await entriesNamed(name, from, variables);
    if (found.length === 0) {
      throw problem(
        'invalid-request',
        `"${name}" is neither a part of this backup nor a single item in it. Choose parts such as "skills", or items such as "skills/<name>".`,
        { issues: [{ path: 'only', code: 'not-found', message: `There is no "${name}" in it.` }] },
      );
    }
    chosen.push(...found);
    for (const side of others) {
      chosen.push(...(await entriesNamed(name, side, variables)));
    }
  }
  return choiceOf(chosen);
}

async function entriesNamed(
  name: string,
  side: Side,
  variables: AllowedVariables,
): Promise<string[]> {
  const path = pathOfEntry(name);
  if (!isEntry(name)) {
    return [];
  }
  const isThere = side.paths.some((one) => one === path || one.startsWith(`${path}/`));
  const [part, ...rest] = name.split('/');
  const id = rest.join('/');
  const found = await namesOfItem(side, { part, id, variables });
  return [...new Set([...(isThere ? [name] : []), ...found])];
}

interface Item {
  part: string | undefined;
  id: string;
  variables: AllowedVariables;
}

async function namesOfItem(side: Side, { part, id, variables }: Item): Promise<string[]> {
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

/** Where the skills of that name are. */
function skillFolders(paths: readonly string[], id: string): string[] {
  return paths
    .filter((path) => path.startsWith('contents/skills/') && /\/skill\.md$/i.test(path))
    .map((path) => posix.dirname(path).slice('contents/'.length))
    .filter((folder) => folder !== 'skills' && slug(posix.basename(folder)) === id);
}

/** Whether something can be the name of a single item. */
export function isEntry(name: string): boolean {
  const part = partName(name);
  return isPart(part) && part === partOf(`${pathOfEntry(name)}`) && !faultOfBackupPath(name);
}

function partName(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

/** The folders on the way to a path. */
export function foldersOver(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
}
