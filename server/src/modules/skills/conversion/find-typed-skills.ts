import { posix } from 'node:path';
import type { PackedFile } from '@knowhow/skill-format';
import { isTypedFile, typedFileName } from '../archives/convertible-names.ts';
import { parentFolder } from '../archives/parent-folder.ts';
import type { TypedKind } from './typed-kinds.ts';
import type { TypedSource } from './typed-skill.ts';

/** Finds typed skills and their files; the rest is returned separately. */
export function findTypedSkills(files: readonly PackedFile[]): {
  found: TypedSource[];
  left: PackedFile[];
} {
  const mains = files.filter(({ path }) => isTypedFile(path));
  const counts = new Map<string, number>();
  for (const { path } of mains) {
    counts.set(parentFolder(path), (counts.get(parentFolder(path)) ?? 0) + 1);
  }
  const owners = mains.map((file) => ownerOf(file, counts.get(parentFolder(file.path)) === 1));
  const byMain = new Map(owners.map((owner) => [owner.main.path, owner]));
  const byFolder = new Map<string, Owner>();
  const byStem = new Map<string, Owner>();
  for (const owner of owners) {
    if (owner.isFolder) {
      byFolder.set(owner.folder, owner);
    } else if (!byStem.has(owner.stem)) {
      byStem.set(owner.stem, owner);
    }
  }
  const left: PackedFile[] = [];
  for (const file of files) {
    const owner = byMain.get(file.path) ?? ownerFor(file.path, byStem, byFolder);
    if (owner) {
      owner.files.push(file);
    } else {
      left.push(file);
    }
  }
  return { found: owners.map(sourceOf), left };
}

interface Owner {
  main: PackedFile;
  kind: TypedKind;
  unknownKind: string | undefined;
  name: string;
  folder: string;
  /** The path up to the type; files with this prefix and a dot belong to it. */
  stem: string;
  /** The only typed skill in its folder, which owns everything below. */
  isFolder: boolean;
  files: PackedFile[];
}

function ownerOf(main: PackedFile, isAlone: boolean): Owner {
  const folder = parentFolder(main.path);
  const [, known = '', kind = 'skill', named, unknownKind] =
    typedFileName.exec(posix.basename(main.path)) ?? [];
  const written = named ?? known;
  const isFolder = written === '' && isAlone;
  return {
    main,
    kind: kind.toLowerCase() as TypedKind,
    name: written || posix.basename(folder),
    unknownKind: unknownKind?.toLowerCase(),
    folder,
    stem: written === '' ? main.path : posix.join(folder, written),
    isFolder,
    files: [],
  };
}

function ownerFor(
  path: string,
  byStem: ReadonlyMap<string, Owner>,
  byFolder: ReadonlyMap<string, Owner>,
): Owner | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const owner = byStem.get(path.slice(0, end));
    if (owner) {
      return owner;
    }
  }
  for (let folder = parentFolder(path); ; folder = parentFolder(folder)) {
    const owner = byFolder.get(folder);
    if (owner || folder === '') {
      return owner;
    }
  }
}

function sourceOf({ main, kind, unknownKind, name, folder, isFolder, files }: Owner): TypedSource {
  const root = isFolder ? folder : main.path;
  const relative = (file: PackedFile) => ({
    ...file,
    path: folder === '' ? file.path : file.path.slice(folder.length + 1),
  });
  return { root, kind, unknownKind, name, main: relative(main), files: files.map(relative) };
}
