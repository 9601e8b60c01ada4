import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { problem } from '@knowhow/shared/problem';
import {
  maxTriggerRuns,
  type TriggerRun,
  type TriggerRunHead,
} from '@knowhow/shared/skills/trigger-tests';
import type { Selectable } from 'kysely';
import { addToGroup } from '../../../platform/lib/group-by.ts';
import { uuidv7 } from '../../../platform/lib/uuidv7.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';

/** Recent trigger test runs of each skill. Runs of a deleted skill are kept, like its history. */
export interface TriggerRuns {
  /** Stores a run and deletes the oldest ones. */
  add(skill: string, run: NewRun): Promise<TriggerRunHead>;
  /** Newest first. */
  list(skill: string): Promise<TriggerRunHead[]>;
  /** The newest runs of each skill, at most `recentRuns`, newest first. */
  recent(): Promise<ReadonlyMap<string, readonly TriggerRunHead[]>>;
  /** Throws `not-found`. */
  get(skill: string, id: string): Promise<TriggerRun>;
}

/** Enough to find the one before the newest among trials of other descriptions. */
const recentRuns = 5;
/** Number of runs between pauses, in which other requests are answered. */
const batchSize = 500;

export type NewRun = Omit<TriggerRun, 'id' | 'at'>;

type Row = Selectable<Schema['trigger_runs']>;
type HeadRow = Omit<Row, 'skill' | 'details'>;

const headColumns = ['id', 'at', 'user_name', 'head'] as const;

export function createTriggerRuns(database: Database): TriggerRuns {
  const list = (skill: string): Promise<HeadRow[]> =>
    database
      .selectFrom('trigger_runs')
      .select(headColumns)
      .where('skill', '=', skill)
      .orderBy('id', 'desc')
      .execute();
  return {
    add: async (skill, { by, prompts, results, ...head }) => {
      const row = {
        id: uuidv7(),
        at: new Date().toISOString(),
        user_name: by,
        head: JSON.stringify(head),
      };
      const details = JSON.stringify({ prompts, results });
      await database
        .insertInto('trigger_runs')
        .values({ ...row, skill, details })
        .execute();
      const old = (await list(skill)).slice(maxTriggerRuns).map(({ id }) => id);
      if (old.length > 0) {
        await database.deleteFrom('trigger_runs').where('id', 'in', old).execute();
      }
      return headOf(row);
    },
    recent: async () => {
      const ranked = database
        .selectFrom('trigger_runs')
        .select(['skill', ...headColumns])
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('skill').orderBy('id', 'desc'))
            .as('rank'),
        )
        .as('ranked');
      const rows = await database
        .selectFrom(ranked)
        .select(['skill', ...headColumns])
        .where('rank', '<=', recentRuns)
        .orderBy('skill')
        .orderBy('id', 'desc')
        .execute();
      const heads = new Map<string, TriggerRunHead[]>();
      for (const [index, { skill, ...row }] of rows.entries()) {
        if (index % batchSize === batchSize - 1) {
          await yieldToEventLoop();
        }
        addToGroup(heads, skill, headOf(row));
      }
      return heads;
    },
    list: async (skill) => (await list(skill)).map(headOf),
    get: async (skill, id) => {
      const row = await database
        .selectFrom('trigger_runs')
        .selectAll()
        .where('skill', '=', skill)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) {
        throw problem('not-found', 'This run is no longer kept. Choose another one.');
      }
      return { ...headOf(row), ...JSON.parse(row.details) };
    },
  };
}

function headOf({ id, at, user_name, head }: HeadRow): TriggerRunHead {
  return { id, at, by: user_name, ...JSON.parse(head) };
}
