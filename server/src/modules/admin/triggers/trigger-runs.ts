import { problem } from '@knowhow/shared/problem';
import {
  maxTriggerRuns,
  type TriggerRun,
  type TriggerRunHead,
} from '@knowhow/shared/skills/trigger-tests';
import type { Selectable } from 'kysely';
import { uuidv7 } from '../../../platform/lib/uuidv7.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';

/** Recent trigger test runs of each skill. Runs of a deleted skill are kept, like its history. */
export interface TriggerRuns {
  /** Stores a run and deletes the oldest ones. */
  add(skill: string, run: NewRun): Promise<TriggerRunHead>;
  /** Newest first. */
  list(skill: string): Promise<TriggerRunHead[]>;
  /** Throws `not-found`. */
  get(skill: string, id: string): Promise<TriggerRun>;
}

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
