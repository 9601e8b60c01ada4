import { problem } from '@knowhow/shared/problem';
import type { PackedFile } from '../../skills/index.ts';
import type { FileWriter } from './skill-edit.ts';

/** Applies edits to files in memory. `files` returns those after the edits. */
export function memoryWriter(before: readonly PackedFile[]): {
  files: () => PackedFile[];
  writer: FileWriter;
} {
  const byPath = new Map(before.map((file) => [file.path, file]));
  const find = (folder: string, path: string) => {
    const file = byPath.get(path);
    if (!file) {
      throw problem('not-found', `There is no file "${path}" in "${folder}".`);
    }
    return file;
  };
  return {
    files: () => [...byPath.values()],
    writer: {
      writeFile: async (_, path, bytes) => {
        const executable = byPath.get(path)?.executable ?? false;
        byPath.set(path, { path, bytes, executable });
      },
      removeFile: async (folder, path) => {
        byPath.delete(find(folder, path).path);
      },
      moveFile: async (folder, from, to) => {
        const file = find(folder, from);
        if (from !== to && byPath.has(to)) {
          throw problem('conflict', `There is "${to}" already. Choose another name.`);
        }
        byPath.delete(from);
        byPath.set(to, { ...file, path: to });
      },
    },
  };
}
