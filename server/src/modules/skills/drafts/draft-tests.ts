import {
  type DraftTest,
  type DraftTestHead,
  maxDraftTests,
  type TestedSide,
} from '@knowhow/shared/skills/draft-tests';
import type { TriggerResult } from '@knowhow/shared/skills/trigger-tests';
import type { Selectable } from 'kysely';
import { uuidv7 } from '../../../platform/lib/uuidv7.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';

/** Recent trigger tests of the drafts of each skill, and the files that were tested. */
export interface DraftTests {
  /** Stores a test and deletes the oldest ones of the skill. */
  add(test: NewDraftTest): Promise<DraftTestHead>;
  /** The newest test of the skill; undefined without one. */
  findNewest(skill: string): Promise<StoredDraftTest | undefined>;
  /** The newest complete test of exactly these files, or else the newest that was stopped. */
  find(files: TestedFiles): Promise<DraftTestHead | undefined>;
}

/** The files of a draft, and the published instructions that they were compared with. */
interface TestedFiles {
  skill: string;
  /** Checksum of the draft's files. */
  checksum: string;
  /** Digest of the published `SKILL.md`; undefined without one. */
  main: string | undefined;
}

type Details = Pick<DraftTest, 'prompts'> & {
  results: Record<TestedSide, TriggerResult[]>;
};

type NewDraftTest = TestedFiles & Omit<DraftTestHead, 'id' | 'at'> & Details;

type StoredDraftTest = TestedFiles & DraftTestHead & Details;

type Row = Selectable<Schema['draft_trigger_runs']>;

const headColumns = ['id', 'at', 'user_name', 'head'] as const;

export function createDraftTests(database: Database): DraftTests {
  const newest = (skill: string) =>
    database.selectFrom('draft_trigger_runs').where('skill', '=', skill).orderBy('id', 'desc');
  return {
    add: async ({ skill, checksum, main, by, prompts, results, ...head }) => {
      const row = {
        id: uuidv7(),
        at: new Date().toISOString(),
        user_name: by,
        head: JSON.stringify(head),
      };
      const details = JSON.stringify({ prompts, results });
      await database
        .insertInto('draft_trigger_runs')
        .values({ ...row, skill, checksum, main: main ?? null, details })
        .execute();
      const ids = await newest(skill).select('id').execute();
      const old = ids.slice(maxDraftTests).map(({ id }) => id);
      if (old.length > 0) {
        await database.deleteFrom('draft_trigger_runs').where('id', 'in', old).execute();
      }
      return toHead(row);
    },
    findNewest: async (skill) => {
      const row = await newest(skill).selectAll().limit(1).executeTakeFirst();
      return (
        row && {
          ...{ skill, checksum: row.checksum, main: row.main ?? undefined },
          ...toHead(row),
          ...(JSON.parse(row.details) as Details),
        }
      );
    },
    find: async ({ skill, checksum, main }) => {
      const rows = await newest(skill)
        .select(headColumns)
        .where('checksum', '=', checksum)
        .where('main', main === undefined ? 'is' : '=', main ?? null)
        .execute();
      const heads = rows.map(toHead);
      return heads.find(({ ended }) => ended === 'whole') ?? heads[0];
    },
  };
}

function toHead({ id, at, user_name, head }: Pick<Row, (typeof headColumns)[number]>) {
  return { id, at, by: user_name, ...JSON.parse(head) } as DraftTestHead;
}
