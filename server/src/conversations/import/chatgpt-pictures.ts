import { z } from 'zod';
import type { OtherFiles } from '../../archives/wanted-files.ts';
import type { ImportedPicture } from './imported.ts';

const pointerSchema = z.looseObject({ asset_pointer: z.string() });

/** The picture that a part of a message points to: its file in the zip begins with the id of the pointer. */
export function pictureOf(part: unknown, others: OtherFiles): ImportedPicture | undefined {
  const { data } = pointerSchema.safeParse(part);
  const id = idIn(data?.asset_pointer.split('://').at(-1) ?? '');
  const name = id && namesById(others).get(id);
  const bytes = name && others.read(name);
  return bytes ? { name: lastPart(name), bytes } : undefined;
}

/** `file-` or `file_`, and what is unique behind it. */
function idIn(name: string): string | undefined {
  return /^file[-_][A-Za-z0-9]+/.exec(name)?.[0];
}

function lastPart(name: string): string {
  return name.split(/[\\/]/).at(-1) ?? name;
}

const known = new WeakMap<OtherFiles, ReadonlyMap<string, string>>();

function namesById(others: OtherFiles): ReadonlyMap<string, string> {
  const names =
    known.get(others) ??
    new Map(
      others.names.flatMap((name) => {
        const id = idIn(lastPart(name));
        return id === undefined ? [] : [[id, name] as const];
      }),
    );
  known.set(others, names);
  return names;
}
