import type { PackedFile } from '@knowhow/skill-format';
import { collectIssues } from './collect-issues.ts';
import type { ReadArchive } from './read-archive.ts';
import { unpackEntries } from './unpack-entries.ts';
import type { UnpackEntry } from './unpack-entry.ts';
import { defaultSizeLimits, type SizeLimits } from './unpack-limits.ts';

/** A file of a folder, which is read only if it is wanted. */
export interface ListedFile extends Pick<PackedFile, 'path' | 'executable'> {
  /** In bytes. */
  size: number;
  /** Undefined if it has been deleted. */
  read(): Promise<Uint8Array | undefined>;
}

/** Splits files like those of an archive: skills, and other files. */
export function splitFiles(
  files: readonly PackedFile[],
  limits?: SizeLimits,
): Promise<ReadArchive> {
  const listed = files.map(({ bytes, ...file }) => {
    return { ...file, size: bytes.length, read: async () => bytes };
  });
  return splitListed(listed, limits);
}

/**
 * Splits the files of a folder in the same way. Reads those of skills, and those that may be converted.
 *
 * @throws a problem that lists all issues
 */
export async function splitListed(
  files: readonly ListedFile[],
  limits: SizeLimits = defaultSizeLimits,
): Promise<ReadArchive> {
  const faults = collectIssues((reason) => `The folder is refused. ${reason}`);
  const contents = new Map<string, Uint8Array>();
  const byName = new Map(files.map((file) => [file.path, file]));
  const entries = files.map(({ path: name, executable, size }) => {
    const file = { name, executable, size, read: () => contents.get(name) };
    return { kind: 'file', ...file } as const;
  });
  const load = async (wanted: ReadonlySet<UnpackEntry>) => {
    for (const { name } of wanted) {
      const bytes = contents.get(name) ?? (await byName.get(name)?.read());
      if (bytes) {
        contents.set(name, bytes);
      }
    }
  };
  const found = await unpackEntries(entries, { limits, isImport: true, load }, faults.report);
  faults.refuse();
  const skills = found.skills.map((skill) => {
    const folder = skill.root.slice(skill.root.lastIndexOf('/') + 1) || 'skill';
    return { ...skill, folder };
  });
  return { ...found, format: 'zip', skills };
}
