import { isClutterName } from '@knowhow/shared/skills/clutter-names';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { loadCode } from '../../ui/loading/load-code.ts';

export interface Packed {
  archive: File;
  /** Folders that are no part of a skill and were not packed. */
  leftOut: string[];
}

/** Makes one archive of what was chosen: a single file is one already, all else becomes a zip. */
export async function packFiles(selected: SelectedFile[]): Promise<Packed> {
  const [only] = selected;
  if (only && selected.length === 1 && !only.path.includes('/')) {
    return { archive: only.file, leftOut: [] };
  }
  const { zipSync } = await loadCode(() => import('fflate'));
  const contents: Record<string, Uint8Array> = {};
  for (const { path, file } of selected.filter(isPacked)) {
    contents[path] = new Uint8Array(await file.arrayBuffer());
  }
  const zip = zipSync(contents, { level: 6 });
  const spared = selected.map(sparedFolder).filter((folder) => folder !== undefined);
  return {
    archive: new File([zip], nameOf(selected), { type: 'application/zip' }),
    leftOut: [...new Set(spared)],
  };
}

/** The one folder that was chosen, else any name. */
function nameOf(selected: SelectedFile[]): string {
  const folders = new Set(selected.map(({ path }) => path.split('/', 1)[0] ?? ''));
  const [only = ''] = folders;
  return folders.size === 1 && only !== '' ? only : 'skills.zip';
}

/** Whether more than one thing was chosen, and archives are among it: those cannot be put into one. */
export function mixesArchives(selected: SelectedFile[]): boolean {
  return selected.length > 1 && selected.some(({ path }) => archiveName.test(path));
}

/** How many bytes would be packed. */
export function bytesOf(selected: SelectedFile[]): number {
  return selected.filter(isPacked).reduce((sum, { file }) => sum + file.size, 0);
}

/** Of a file at the top, not in a folder. */
const archiveName = /^[^/]+\.(zip|skill|tgz|tar\.gz)$/i;

const spared = new Set(['.git', 'node_modules', '__pycache__', '__MACOSX']);

/** Files that a system or an editor left behind are not worth a word. */
function isPacked(each: SelectedFile): boolean {
  return sparedFolder(each) === undefined && !each.path.split('/').some(isClutterName);
}

/** The folder that keeps a file from being packed. */
function sparedFolder({ path }: SelectedFile): string | undefined {
  const folders = path.split('/').slice(0, -1);
  const end = folders.findIndex((folder) => spared.has(folder));
  return end < 0 ? undefined : `${folders.slice(0, end + 1).join('/')}/`;
}
