import type { SourceState } from '@knowhow/shared/skills/skill-sources';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';

/** A skill that was taken from a source. */
export type TakenSkill = Omit<Schema['skill_source_skills'], 'source'>;

/** The result of the last sync, and the checksum of what the source selected then. */
type StoredState = Omit<SourceState, 'needsReview' | 'webhook'> & { selection: string | undefined };

/** The results of syncs, for all nodes. */
export interface SourceStates {
  get(source: string): Promise<StoredState>;
  taken(source: string): Promise<TakenSkill[]>;
  /** Records a sync. Without a commit, it failed, and the earlier result stays. */
  record(
    source: string,
    result: { commit: string; pending: number; selection: string } | { error: string },
  ): Promise<void>;
  /** Records skills that were taken, and those that no longer belong to the source. */
  take(
    source: string,
    change: { taken: readonly TakenSkill[]; left: readonly string[]; pending: number },
  ): Promise<void>;
  /** Forgets the last sync of a source, but not what was taken from it. */
  forgetSync(source: string): Promise<void>;
  /** Forgets a source. */
  forget(source: string): Promise<void>;
}

/** Rows per statement: thousands of statements would take seconds on PostgreSQL. */
const sliceSize = 100;

function slices<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / sliceSize) }, (_, at) =>
    items.slice(at * sliceSize, (at + 1) * sliceSize),
  );
}

export function createSourceStates(database: Database): SourceStates {
  const find = (source: string) =>
    database
      .selectFrom('skill_source_states')
      .selectAll()
      .where('source', '=', source)
      .executeTakeFirst();
  return {
    get: async (source) => {
      const row = await find(source);
      const count = await database
        .selectFrom('skill_source_skills')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('source', '=', source)
        .executeTakeFirst();
      return {
        ...(row?.commit_id ? { commit: row.commit_id } : {}),
        ...(row ? { syncedAt: row.synced_at } : {}),
        ...(row?.error ? { error: row.error } : {}),
        selection: row?.selection ?? undefined,
        pending: row?.pending ?? 0,
        skills: Number(count?.total ?? 0),
      };
    },
    taken: (source) =>
      database
        .selectFrom('skill_source_skills')
        .select(['skill', 'path', 'commit_id', 'checksum'])
        .where('source', '=', source)
        .orderBy('skill')
        .execute(),
    record: async (source, result) => {
      const synced_at = new Date().toISOString();
      const now =
        'error' in result
          ? { synced_at, error: result.error }
          : {
              ...{ synced_at, error: null, commit_id: result.commit },
              ...{ pending: result.pending, selection: result.selection },
            };
      await database
        .insertInto('skill_source_states')
        .values({ source, commit_id: null, pending: 0, selection: null, ...now })
        .onConflict((conflict) => conflict.column('source').doUpdateSet(now))
        .execute();
    },
    take: (source, { taken, left, pending }) =>
      database.transaction().execute(async (write) => {
        for (const names of slices([...left, ...taken.map((each) => each.skill)])) {
          await write
            .deleteFrom('skill_source_skills')
            .where('source', '=', source)
            .where('skill', 'in', names)
            .execute();
        }
        for (const rows of slices(taken)) {
          await write
            .insertInto('skill_source_skills')
            .values(rows.map((row) => ({ source, ...row })))
            .execute();
        }
        await write
          .updateTable('skill_source_states')
          .set({ pending })
          .where('source', '=', source)
          .execute();
      }),
    forgetSync: async (source) => {
      await database.deleteFrom('skill_source_states').where('source', '=', source).execute();
    },
    forget: async (source) => {
      await database.transaction().execute(async (write) => {
        await write.deleteFrom('skill_source_skills').where('source', '=', source).execute();
        await write.deleteFrom('skill_source_states').where('source', '=', source).execute();
      });
    },
  };
}
