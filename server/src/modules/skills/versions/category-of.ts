import { isSkillFile, type PackedFile, parseSkill } from '@knowhow/skill-format';

/** The category in the `SKILL.md` of files; undefined for none. */
export function categoryOf(files: readonly PackedFile[]): string | undefined {
  const main = findMain(files);
  return main && parseSkill(main.bytes, '').skill.category;
}

/** The column `category` of files. */
export function writeCategory(files: readonly PackedFile[]): string {
  return categoryOf(files) ?? '';
}

/** Reads the column `category`; undefined for none, and for files that are not stored. */
export function readCategory(written: string | null): string | undefined {
  return written || undefined;
}

/** The file that is read as `SKILL.md` where another differs in case only. */
export function findMain<File extends { path: string }>(files: readonly File[]): File | undefined {
  return files.find(({ path }) => path === 'SKILL.md') ?? files.find(isSkillFile);
}
