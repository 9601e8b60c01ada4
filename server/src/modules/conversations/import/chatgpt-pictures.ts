import { z } from 'zod';
import type { OtherFiles } from '../../skills/archives/wanted-files.ts';
import type { ImportedPicture } from './imported.ts';

const pointerSchema = z.looseObject({ asset_pointer: z.string() });

/** The picture that a message part refers to; its file name in the zip starts with the pointer's ID. */
export function findPicture(part: unknown, others: OtherFiles): ImportedPicture | undefined {
  const { data } = pointerSchema.safeParse(part);
  const id = getFileId(data?.asset_pointer.split('://').at(-1) ?? '');
  const name = id && namesById(others).get(id);
  const bytes = name && others.read(name);
  return bytes ? { name: baseName(name), bytes } : undefined;
}

/** The ID prefix of a file name: `file-` or `file_` plus alphanumerics. */
function getFileId(name: string): string | undefined {
  return /^file[-_][A-Za-z0-9]+/.exec(name)?.[0];
}

function baseName(name: string): string {
  return name.split(/[\\/]/).at(-1) ?? name;
}

const cache = new WeakMap<OtherFiles, ReadonlyMap<string, string>>();

function namesById(others: OtherFiles): ReadonlyMap<string, string> {
  const names =
    cache.get(others) ??
    new Map(
      others.names.flatMap((name) => {
        const id = getFileId(baseName(name));
        return id === undefined ? [] : [[id, name] as const];
      }),
    );
  cache.set(others, names);
  return names;
}
