import {
  type DraftTest,
  type DraftTestHead,
  maxDraftTests,
  type TestedSide,
} from '@knowhow/shared/skills/draft-tests';
import type { TriggerResult } from '@knowhow/shared/skills/trigger-tests';
import type { Kysely, Selectable } from 'kysely';
import { uuidv7 } from '../../../platform/lib/uuidv7.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { findSkill } from '../versions/find-skill.ts';

/** Recent trigger tests of the drafts of each skill, and the files that were tested. */
export interface DraftTests {
  /** Stores a test and deletes the oldest ones of the skill. Stores nothing if the draft is gone. */
  add(test: NewDraftTest): Promise<DraftTestHead>;
  /**
   * The newest test of the skill; undefined without one.
   *
   * @param began when the draft began, to leave out tests of an earlier one; ISO 8601
   */
  findNewest(skill: string, began?: string): Promise<StoredDraftTest | undefined>;
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

type NewDraftTest = TestedFiles &
  Omit<DraftTestHead, 'id' | 'at'> &
  Details & {
    /** When the draft began; ISO 8601. */
    began: string;
  };

type StoredDraftTest = TestedFiles & DraftTestHead & Details;

type Row = Selectable<Schema['draft_trigger_runs']>;

const headColumns = ['id', 'at', 'user_name', 'head'] as const;

export function createDraftTests(database: Database): DraftTests {
  const newest = (skill: string) =>
    database
      .selectFrom('draft_trigger_runs')
      .where('skill', '=', idOf(database, skill))
      .orderBy('id', 'desc');
  return {
    add: async ({ skill, began, checksum, main, by, prompts, results, ...head }) => {
      const row = {
        id: uuidv7(),
        at: new Date().toISOString(),
        user_name: by,
        head: JSON.stringify(head),
      };
      const details = JSON.stringify({ prompts, results });
      const draft = await database
        .selectFrom('skill_drafts')
        .select('skill')
        .where('skill', '=', idOf(database, skill))
        .where('created_at', '=', began)
        .executeTakeFirst();
      if (!draft) {
        return toHead(row);
      }
      await database
        .insertInto('draft_trigger_runs')
        .values({ ...row, skill: draft.skill, checksum, main: main ?? null, details })
        .execute();
      const ids = await newest(skill).select('id').execute();
      const old = ids.slice(maxDraftTests).map(({ id }) => id);
      if (old.length > 0) {
        await database.deleteFrom('draft_trigger_runs').where('id', 'in', old).execute();
      }
      return toHead(row);
    },
    findNewest: async (skill, began = '') => {
      const row = await newest(skill)
        .selectAll()
        .where('at', '>=', began)
        .limit(1)
        .executeTakeFirst();
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

/** Deletes the tests of a skill without a draft: they have its prompts. Those of its open review stay. */
export async function dropDraftTests(write: Kysely<Schema>, name: string): Promise<void> {
  const skill = await findSkill(write, name);
  if (skill !== undefined) {
    const review = write.selectFrom('skill_reviews').where('skill', '=', skill);
    await write
      .deleteFrom('draft_trigger_runs')
      .where('skill', '=', skill)
      .where('skill', 'not in', write.selectFrom('skill_drafts').select('skill'))
      .where('checksum', 'not in', review.where('state', '=', 'open').select('checksum'))
      .execute();
  }
}

function idOf(database: Database, name: string) {
  return database.selectFrom('skills').select('id').where('name', '=', name);
}

function toHead({ id, at, user_name, head }: Pick<Row, (typeof headColumns)[number]>) {
  return { id, at, by: user_name, ...JSON.parse(head) } as DraftTestHead;
}
