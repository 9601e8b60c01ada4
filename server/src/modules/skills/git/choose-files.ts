import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { whySkipped } from '@knowhow/shared/skills/clutter-names';
import { type LeftOut, summarizeLeftOut } from '@knowhow/shared/skills/left-out';
import {
  findSkillRoot,
  foldersAbove,
  isClutter,
  isSkillFile,
  leftOutEntry,
  skillRoots,
} from '../archives/unpack-roots.ts';
import { isTypedFile } from '../conversion/find-typed-skills.ts';
import { parentFolder } from '../conversion/parent-folder.ts';
import { getPluginRoot } from '../conversion/plugin-manifest.ts';
import { type TreeFile, tooManyFiles } from './read-tree.ts';

/** The files of a commit that are worth reading. */
export interface ChosenFiles {
  /** Files of each skill by its folder, sorted. */
  skills: Map<string, TreeFile[]>;
  /** Files that may be converted to skills, or belong to plugins. */
  others: TreeFile[];
  /** Everything else. */
  leftOut: LeftOut[];
}

/** How many files are sorted before the event loop runs. */
const slice = 500;

/**
 * Chooses the files of skills, and of formats that can be converted. All other files of a repository
 * are neither fetched nor validated, so that its size and their names do not matter.
 *
 * @param maxFiles of chosen files
 */
export async function chooseFiles(
  files: readonly TreeFile[],
  maxFiles: number,
): Promise<ChosenFiles> {
  const mains = files.filter(({ path, kind }) => kind !== 'submodule' && isMainFile(path));
  if (mains.length > maxFiles) {
    throw tooManyFiles(maxFiles);
  }
  const roots = skillRoots(mains.map(({ path }) => path));
  const above = foldersAbove(roots);
  const isOther = createOtherFilter(files);
  const skills = new Map([...roots].map((root): [string, TreeFile[]] => [root, []]));
  const others: TreeFile[] = [];
  let skipped: LeftOut[] = [];
  let count = 0;
  for (const [at, file] of files.entries()) {
    if (at % slice === slice - 1) {
      skipped = summarizeLeftOut(skipped);
      await yieldToEventLoop();
    }
    const root = findSkillRoot(roots, file.path);
    const group = root === undefined ? others : skills.get(root);
    const isChosen = root !== undefined ? file.kind !== 'submodule' : isOther(file);
    if (group && isChosen && !isClutter(file.path)) {
      group.push(file);
      count += 1;
    } else {
      skipped.push(leftOutEntry(file.path, above, reasons[file.kind]));
    }
    if (count > maxFiles) {
      throw tooManyFiles(maxFiles);
    }
  }
  return { skills, others, leftOut: summarizeLeftOut(skipped) };
}

const reasons = { file: 'no-skill', link: 'link', submodule: 'special-file' } as const;

/** Far fewer names reach the regular expressions of `skillRoots`. */
function isMainFile(path: string): boolean {
  return isSkillFile(path.slice(path.lastIndexOf('/') + 1));
}

/** Recognises files outside of skills that conversions read. */
function createOtherFilter(files: readonly TreeFile[]): (file: TreeFile) => boolean {
  const named = files.filter(
    ({ kind, path }) => kind === 'file' && !path.split('/').some(isVendor),
  );
  const handlers = new Set(
    named.filter(({ path }) => hasName(path, 'handler.js')).map(({ path }) => parentFolder(path)),
  );
  const plugins = new Set(named.flatMap(({ path }) => getPluginRoot(path) ?? []));
  const isInHandler = (path: string) => someFolder(path, (folder) => handlers.has(folder));
  const isInPlugin = (path: string) =>
    pluginFolder.test(path) && someFolder(path, (folder) => plugins.has(folder));
  return ({ kind, path }) =>
    kind === 'file' &&
    (manifest.test(path) || isTypedFile(path) || isInHandler(path) || isInPlugin(path));
}

const manifest =
  /(?:^|\/)(?:(?:nitejar-)?plugin|(?:[\w-]+_)?marketplace|models|\.mcp|anythingllm_mcp_servers)\.json$|(?:^|\/)agent-flows\/[^/]+\.json$/;
/** Folders of a plugin besides its skills. */
const pluginFolder = /(?:^|\/)(?:commands|agents|hooks)\/|(?:^|\/)\.(?:app|lsp)\.json$/;

function isVendor(name: string): boolean {
  return whySkipped(name) !== undefined;
}

function hasName(path: string, name: string): boolean {
  return posix.basename(path) === name;
}

function someFolder(path: string, test: (folder: string) => boolean): boolean {
  for (let folder = parentFolder(path); folder !== ''; folder = parentFolder(folder)) {
    if (test(folder)) {
      return true;
    }
  }
  return test('');
}
