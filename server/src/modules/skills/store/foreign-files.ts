import { isTypedFile } from '../archives/convertible-names.ts';
import type { FolderEntry } from './folder-entry.ts';

/** Also matches typed skills of an unknown kind. */
const typed = /\.[a-z]{0,4}skill\.md$/i;

/** Whether a file may belong to an AnythingLLM plugin or be a typed skill, by its name. */
export function isForeignFile(name: string): boolean {
  return name === 'plugin.json' || name === 'handler.js' || isTyped(name);
}

/** The files in a folder without `SKILL.md` that make it a plugin or contain typed skills. */
export function foreignFiles(entries: readonly FolderEntry[]): string[] {
  const names = entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name);
  // A manifest next to folders is a plugin whose skills are found in these folders.
  const isPlugin = names.includes('handler.js') || names.length === entries.length;
  const manifest = ['plugin.json', 'handler.js'].find((name) => names.includes(name));
  return [...(manifest !== undefined && isPlugin ? [manifest] : []), ...names.filter(isTyped)];
}

function isTyped(name: string): boolean {
  return name.toLowerCase() !== 'skill.md' && (isTypedFile(name) || typed.test(name));
}
