import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { writeArchive } from '../archives/write-archive.ts';
import { notWritable } from '../lib/not-writable.ts';
import { writeFileAtomic } from '../lib/write-file-atomic.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';
import { unlessGone } from './walk-folder.ts';

/** States of skills on disk: a zip each, named by the checksum, so that none is kept twice. */
export interface SkillHistoryFiles {
  /** Resolves when they are down on the disk. */
  write(skill: string, checksum: string, files: readonly PackedFile[]): Promise<void>;
  /** Undefined when somebody has removed them. */
  read(skill: string, checksum: string): Promise<PackedFile[] | undefined>;
  /** Removes everything of a skill but these states. */
  keepOnly(skill: string, checksums: ReadonlySet<string | null>): Promise<void>;
  /** Of which something is kept. */
  skills(): Promise<string[]>;
}

export function createSkillHistoryFiles(directory: string): SkillHistoryFiles {
  const placeOf = (skill: string, checksum: string) => join(directory, skill, `${checksum}.zip`);
  return {
    write: async (skill, checksum, files) => {
      const path = placeOf(skill, checksum);
      try {
        if (!(await unlessGone(stat(path)))) {
          await writeFileAtomic(path, await writeArchive(skill, files, 'zip'), 0o600);
        }
      } catch (error) {
        throw notWritable(error, 'The history of skills in the data folder');
      }
    },
    read: async (skill, checksum) => {
      const bytes = await unlessGone(readFile(placeOf(skill, checksum)));
      return bytes && Promise.all(new AdmZip(bytes).getEntries().map(fileOf));
    },
    keepOnly: async (skill, checksums) => {
      const folder = join(directory, skill);
      for (const name of (await unlessGone(readdir(folder))) ?? []) {
        if (!checksums.has(name.replace(/\.zip$/, ''))) {
          await rm(join(folder, name), { recursive: true, force: true });
        }
      }
      if (checksums.size === 0) {
        await unlessGone(rmdir(folder));
      }
    },
    skills: async () => {
      const entries = await unlessGone(readdir(directory, { withFileTypes: true }));
      return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
  };
}

/** From a zip of our own: everything is in one folder. */
function fileOf(entry: AdmZip.IZipEntry): Promise<PackedFile> {
  return new Promise((resolve, reject) => {
    entry.getDataAsync((bytes, error) => {
      if (error) {
        reject(new Error(`A state of the history is broken: ${error}`));
        return;
      }
      const path = entry.entryName.slice(entry.entryName.indexOf('/') + 1);
      resolve({ path, bytes, executable: ((entry.attr >>> 16) & 0o111) !== 0 });
    });
  });
}
