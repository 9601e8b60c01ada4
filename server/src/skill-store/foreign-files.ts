import { isTypedFile } from '../conversion/find-typed.ts';
import type { FolderEntry } from './folder-entry.ts';

/** Also typed skills of a kind that is not known. */
const typed = /\.[a-z]{0,4}skill\.md$/i;

/** Whether a file of that name may belong to a plugin of AnythingLLM or be a typed skill. */
export function isForeignFile(name: string): boolean {
  return name === 'plugin.json' || name === 'handler.js' || isTyped(name);
}

/** The files among the entries of a folder without a `SKILL.md` that make it a plugin, or typed skills. */
export function foreignFiles(entries: readonly FolderEntry[]): string[] {
  const names = entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name);
  // A manifest next to folders is a plugin that brings skills, which are found there.
  const isPlugin = names.includes('handler.js') || names.length === entries.length;
  const manifest = ['plugin.json', 'handler.js'].find((name) => names.includes(name));
  return [...(manifest !== undefined && isPlugin ? [manifest] : []), ...names.filter(isTyped)];
}

function isTyped(name: string): boolean {
  return name.toLowerCase() !== 'skill.md' && (isTypedFile(name) || typed.test(name));
}
