import type { ScriptKind } from './runner/runner.ts';

const kinds: Readonly<Record<string, ScriptKind>> = { py: 'python', sh: 'sh', js: 'node' };

/** The runtime of a script; undefined if the file is not a script in `scripts/`. */
export function scriptKindOf(path: string): ScriptKind | undefined {
  const [, extension = ''] = /^scripts\/(?:.+\/)?[^/]+\.([a-z]+)$/.exec(path) ?? [];
  return Object.hasOwn(kinds, extension) ? kinds[extension] : undefined;
}

export function isScript(path: string): boolean {
  return scriptKindOf(path) !== undefined;
}
