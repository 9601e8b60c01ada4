import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isSkillFile, type PackedFile, parseSkill } from '@knowhow/skill-format';
import type { ManifestFile } from './manifest.ts';
import type { SkillVersions } from './skill-versions.ts';

type Category = string | undefined;

/** The category in the `SKILL.md` of files; undefined for none. */
export function categoryOf(files: readonly PackedFile[]): Category {
  const main = findMain(files);
  return main && parseSkill(main.bytes, '').skill.category;
}

/** The same for stored files; undefined if they are not completely stored, too. */
export async function categoryOfStored(
  { content }: Pick<SkillVersions, 'content'>,
  manifest: readonly ManifestFile[],
): Promise<Category> {
  const main = findMain(manifest);
  const bytes = main && (await content(main));
  return bytes && parseSkill(bytes, '').skill.category;
}

/** The file that is read as `SKILL.md` where another differs in case only. */
export function findMain<File extends { path: string }>(files: readonly File[]): File | undefined {
  return files.find(({ path }) => path === 'SKILL.md') ?? files.find(isSkillFile);
}

/** Number of versions between pauses, in which other requests are answered. */
const batchSize = 10;

/** The categories of all versions of a skill. */
export async function readVersionCategories(
  versions: Pick<SkillVersions, 'list' | 'manifest' | 'content'>,
  id: string,
): Promise<Category[]> {
  const categories = new Map<string, Category>();
  let before: number | undefined;
  do {
    const { items } = await versions.list(id, { limit: 100, before });
    before = items.at(-1)?.number;
    for (const [index, { number }] of items.entries()) {
      if (index % batchSize === batchSize - 1) {
        await yieldToEventLoop();
      }
      const manifest = (await versions.manifest(id, number)) ?? [];
      const digest = findMain(manifest)?.digest;
      if (digest !== undefined && !categories.has(digest)) {
        categories.set(digest, await categoryOfStored(versions, manifest));
      }
    }
  } while (before !== undefined);
  return [...categories.values()];
}
