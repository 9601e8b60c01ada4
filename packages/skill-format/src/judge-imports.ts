import { posix } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose } from './diagnostics.ts';
import { reveal } from './hidden-characters.ts';

const maxReported = 20;
/** Characters of a path that a diagnostic shows. Code may import a path of a megabyte. */
const maxShown = 300;
/**
 * Converted skills keep their original folder here; other skills have executable code in
 * `scripts/`.
 */
const originals = 'assets/original/';
const codeFolders = /^(?:scripts|assets\/original)\//;

export interface ImportingFile {
  path: string;
  /** Imported paths, as written. */
  modules: readonly string[];
}

/**
 * Modules that the code of a skill imports and that are missing in the sandbox: outside of the
 * skill's folder, or not there. Only executable code is checked, because templates are used
 * elsewhere.
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
  const found: Diagnostic[] = [];
  for (const { path, modules } of running) {
    for (const module of modules) {
      if (found.length === maxReported) {
        return found;
      }
      found.push(...judgeImport(path, module, known));
    }
  }
  return found;
}

function judgeImport(path: string, module: string, known: ReadonlySet<string>): Diagnostic[] {
  const shown = module.length > maxShown ? `${module.slice(0, maxShown)}…` : module;
  const values = { module: reveal(shown) };
  const target = targetOf(path, module);
  if (target === undefined) {
    return [diagnose('module-outside', { values, file: reveal(path) })];
  }
  return known.has(target) || known.has(withoutExtension(target))
    ? []
    : [diagnose('module-outside', { text: 'module-missing', values, file: reveal(path) })];
}

/** The path in the skill of an imported module; undefined outside of the code's folder. */
function targetOf(path: string, module: string): string | undefined {
  // ECMAScript modules are URLs: "%2e" is a dot, and a query is not part of the path.
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

/** Importable paths: files, with or without extension, and folders. */
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
