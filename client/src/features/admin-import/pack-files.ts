import { skippedPart } from '@knowhow/shared/skills/clutter-names';
import { type LeftOut, sumLeftOut } from '@knowhow/shared/skills/left-out';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { loadCode } from '../../ui/loading/load-code.ts';

export interface Packed {
  archive: File;
  /** Files that are no part of a skill and were not packed. */
  leftOut: LeftOut[];
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
  const left = selected.flatMap(({ path }) => skippedPart(path) ?? []);
  return {
    archive: new File([zip], nameOf(selected), { type: 'application/zip' }),
    leftOut: sumLeftOut(left.map((each) => ({ ...each, files: 1 }))),
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

function isPacked({ path }: SelectedFile): boolean {
  return skippedPart(path) === undefined;
}
