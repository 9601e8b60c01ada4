import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';
import { findMain, writeCategory } from './category-of.ts';
import { readManifest } from './manifest.ts';
import { readFiles } from './skill-blobs.ts';

/**
 * Fills the column `category` of rows that earlier releases wrote, from their stored `SKILL.md`. It stays empty if that
 * is not stored. Holds one manifest and one `SKILL.md` in memory.
 */
export async function fillCategories(write: Kysely<Schema>): Promise<void> {
  for (const table of ['skill_versions', 'skill_drafts', 'skill_reviews'] as const) {
    const rows = write
      .selectFrom(table)
      .where('category', 'is', null)
      .where('manifest', 'is not', null);
    for (const { skill } of await rows.select('skill').distinct().execute()) {
      const nextOf = rows.select('manifest').where('skill', '=', skill).limit(1);
      for (let row = await nextOf.executeTakeFirst(); row; row = await nextOf.executeTakeFirst()) {
        await write
          .updateTable(table)
          .set({ category: await readStored(write, row.manifest) })
          .where('skill', '=', skill)
          .where('manifest', '=', row.manifest)
          .execute();
      }
    }
  }
}

async function readStored(write: Kysely<Schema>, manifest: string | null): Promise<string> {
  const main = manifest === null ? undefined : findMain(readManifest(manifest));
  return writeCategory((main && (await readFiles(write, [main]))) ?? []);
}
