import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { whySkipped } from '@knowhow/shared/skills/clutter-names';
import {
  type LeftOut,
  type LeftOutReason,
  summarizeLeftOut,
} from '@knowhow/shared/skills/left-out';
import { getPluginRoot, isInManifestFolder, isTypedFile } from './convertible-names.ts';
import { parentFolder } from './parent-folder.ts';
import {
  findSkillRoot,
  foldersAbove,
  isClutter,
  isSkillFile,
  leftOutEntry,
  skillRoots,
} from './unpack-roots.ts';

/** An entry of a commit or an archive. */
export interface Choosable {
  /** From the root. */
  path: string;
  kind: 'file' | 'link' | 'folder' | 'submodule';
  /** The reason if it is left out; by default, its kind. */
  why?: LeftOutReason;
}

/** The entries that are worth reading. */
export interface ChosenFiles<File> {
  /** Entries of each skill by its folder, sorted. */
  skills: Map<string, File[]>;
  /** Files that may be converted to skills, or belong to plugins. */
  others: File[];
  /** Files whose content decides whether they may be converted. */
  candidates: File[];
  /** Everything else. */
  leftOut: LeftOut[];
}

interface Choice<File> {
  /** Maximum number of chosen files. */
  maxFiles: number;
  /** Recognises more files outside of skills, whose content decides. */
  isCandidate?: (file: File) => boolean;
}

/** More files than the maximum would be chosen. */
export class TooManyFiles extends Error {}

/** How many files are sorted before the event loop runs. */
const slice = 500;

/**
 * Chooses the files of skills, and of formats that can be converted. All other files of a repository or an archive
 * are neither read nor validated, so that their sizes and names do not matter.
 *
 * @throws `TooManyFiles`
 */
export async function chooseFiles<File extends Choosable>(
  files: readonly File[],
  { maxFiles, isCandidate = () => false }: Choice<File>,
): Promise<ChosenFiles<File>> {
  const mains = files.filter(({ path, kind }) => hasContent(kind) && isMainFile(path));
  if (mains.length > maxFiles) {
    throw new TooManyFiles();
  }
  const roots = skillRoots(mains.map(({ path }) => path));
  const { isOther, folders } = findOthers(files);
  const above = foldersAbove(new Set([...roots, ...folders]));
  const skills = new Map([...roots].map((root): [string, File[]] => [root, []]));
  const others: File[] = [];
  const candidates: File[] = [];
  const groupOf = (file: File) =>
    isOther(file) ? others : isCandidate(file) ? candidates : undefined;
  let skipped: LeftOut[] = [];
  let count = 0;
  for (const [at, file] of files.entries()) {
    if (at % slice === slice - 1) {
      skipped = summarizeLeftOut(skipped);
      await yieldToEventLoop();
    }
    const root = findSkillRoot(roots, file.path);
    const group = root === undefined ? groupOf(file) : skills.get(root);
    const isChosen = root === undefined || file.kind !== 'submodule';
    if (group && isChosen && !isClutter(file.path)) {
      group.push(file);
      count += 1;
    } else if (file.kind !== 'folder') {
      skipped.push(leftOutEntry(file.path, above, file.why ?? reasons[file.kind]));
    }
    if (count > maxFiles) {
      throw new TooManyFiles();
    }
  }
  return { skills, others, candidates, leftOut: summarizeLeftOut(skipped) };
}

const reasons = { file: 'no-skill', link: 'link', submodule: 'special-file' } as const;

function hasContent(kind: Choosable['kind']): boolean {
  return kind === 'file' || kind === 'link';
}

/** Far fewer names reach the regular expressions of `skillRoots`. */
function isMainFile(path: string): boolean {
  return isSkillFile(path.slice(path.lastIndexOf('/') + 1));
}

/** Recognises files outside of skills that conversions read, and the folders of what may be converted. */
function findOthers(files: readonly Choosable[]): {
  isOther: (file: Choosable) => boolean;
  folders: readonly string[];
} {
  const named = files.filter(
    ({ kind, path }) => kind === 'file' && !path.split('/').some(isVendor),
  );
  const handlers = new Set(
    named.filter(({ path }) => hasName(path, 'handler.js')).map(({ path }) => parentFolder(path)),
  );
  const plugins = new Set(named.flatMap(({ path }) => getPluginRoot(path) ?? []));
  // Their manifests may name any text as a skill.
  const listing = new Set(
    named.flatMap(({ path }) => (isInManifestFolder(path) ? [] : (getPluginRoot(path) ?? []))),
  );
  const typed = new Set(
    named.filter(({ path }) => isTypedFile(path)).map(({ path }) => parentFolder(path)),
  );
  const isInHandler = (path: string) => someFolder(path, (folder) => handlers.has(folder));
  const isInTyped = (path: string) =>
    typed.size > 0 && someFolder(path, (folder) => typed.has(folder));
  const isInPlugin = (path: string) =>
    (pluginFolder.test(path) && someFolder(path, (folder) => plugins.has(folder))) ||
    (path.endsWith('.md') && someFolder(path, (folder) => listing.has(folder)));
  return {
    isOther: ({ kind, path }) =>
      kind === 'file' &&
      (manifest.test(path) || isInTyped(path) || isInHandler(path) || isInPlugin(path)),
    folders: [...handlers, ...plugins, ...typed],
  };
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
