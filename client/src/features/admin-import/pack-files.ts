import { skippedPart } from '@knowhow/shared/skills/clutter-names';
import { type LeftOut, summarizeLeftOut } from '@knowhow/shared/skills/left-out';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { loadChunk } from '../../ui/loading/load-chunk.ts';

export interface PackedArchive {
  archive: File;
  /** Files that belong to no skill and were not packed. */
  leftOut: LeftOut[];
}

/** Returns one archive of the selection: a single file is sent unchanged, everything else is zipped. */
export async function packFiles(selected: SelectedFile[]): Promise<PackedArchive> {
  const [only] = selected;
  if (only && isSentUnchanged(selected)) {
    return { archive: only.file, leftOut: [] };
  }
  const { zipSync } = await loadChunk(() => import('fflate'));
  const contents: Record<string, Uint8Array> = {};
  for (const { path, file } of selected.filter(isArchive)) {
    contents[path] = new Uint8Array(await file.arrayBuffer());
  }
  const zip = zipSync(contents, { level: 6 });
  const left = selected.flatMap(({ path }) => skippedPart(path) ?? []);
  return {
    archive: new File([zip], getArchiveName(selected), { type: 'application/zip' }),
    leftOut: summarizeLeftOut(left.map((each) => ({ ...each, files: 1 }))),
  };
}

/** Whether the selection is one file, not a folder. */
export function isSentUnchanged([only, ...more]: readonly SelectedFile[]): boolean {
  return only !== undefined && more.length === 0 && !only.path.includes('/');
}

/** The name of the only selected folder, or a default. */
function getArchiveName(selected: SelectedFile[]): string {
  const folders = new Set(selected.map(({ path }) => path.split('/', 1)[0] ?? ''));
  const [only = ''] = folders;
  return folders.size === 1 && only !== '' ? only : 'skills.zip';
}

/** Whether several items were selected and some are archives: these cannot be combined. */
export function mixesArchives(selected: SelectedFile[]): boolean {
  return selected.length > 1 && selected.some(({ path }) => archiveName.test(path));
}

/** Total size of the files to pack, in bytes. */
export function totalBytes(selected: SelectedFile[]): number {
  return selected.filter(isArchive).reduce((sum, { file }) => sum + file.size, 0);
}

/** Whether a file is at the top level. */
const archiveName = /^[^/]+\.(zip|skill|tgz|tar\.gz)$/i;

function isArchive({ path }: SelectedFile): boolean {
  return skippedPart(path) === undefined;
}
