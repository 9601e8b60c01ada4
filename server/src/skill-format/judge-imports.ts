import { posix } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose } from './diagnostics.ts';
import { reveal } from './hidden-characters.ts';

const maxReported = 20;
/** A converted skill keeps the folder that it was made from here; other skills keep code that runs in `scripts/`. */
const originals = 'assets/original/';
const codeFolders = /^(?:scripts|assets\/original)\//;

export interface ImportingFile {
  path: string;
  /** The paths that it imports, as it writes them. */
  modules: readonly string[];
}

/**
 * The modules that code of a skill imports and that the sandbox does not have, because they are outside of the skill's
 * folder, or in it and not there. Only code that runs is judged: what a skill has as a template is for another place.
 *
 * @param paths all files of the skill
 */
export function judgeImports(
  files: readonly ImportingFile[],
  paths: readonly string[],
): Diagnostic[] {
  const running = files
    .filter(({ path, modules }) => modules.length > 0 && codeFolders.test(path))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const known = running.length > 0 ? moduleNames(paths) : new Set<string>();
  const found = running.flatMap(({ path, modules }) =>
    modules.flatMap((module) => judgeImport(path, module, known) ?? []),
  );
  return found.slice(0, maxReported);
}

function judgeImport(
  path: string,
  module: string,
  known: ReadonlySet<string>,
): Diagnostic | undefined {
  const values = { module: reveal(module) };
  const target = targetOf(path, module);
  if (target === undefined) {
    return diagnose('module-outside', { values, file: reveal(path) });
  }
  return known.has(target) || known.has(withoutExtension(target))
    ? undefined
    : diagnose('module-outside', { text: 'module-missing', values, file: reveal(path) });
}

/** The path in the skill that a module is imported from; undefined outside of the folder that the code is in. */
function targetOf(path: string, module: string): string | undefined {
  // Modules of ECMAScript are addresses: "%2e" is a dot there, and a query is no part of the path.
  const written = module
    .replaceAll('\\', '/')
    .replace(/%2e/gi, '.')
    .replace(/[?#].*$/s, '');
  if (!written.startsWith('.')) {
    return undefined;
  }
  const root = path.startsWith(originals) ? originals : '';
  const target = posix.join(posix.dirname(path.slice(root.length)), written).replace(/\/$/, '');
  return target === '..' || target.startsWith('../') ? undefined : `${root}${target}`;
}

/** Paths that can be imported: files, with their extension or without, and folders. */
function moduleNames(paths: readonly string[]): Set<string> {
  const names = new Set<string>([originals, `${originals}.`, '.']);
  for (const path of paths) {
    names.add(path);
    names.add(withoutExtension(path));
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
      names.add(folder);
    }
  }
  return names;
}

function withoutExtension(path: string): string {
  return path.replace(/\.[a-z]{1,5}$/i, '');
}
