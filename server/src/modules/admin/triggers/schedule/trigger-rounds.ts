import type { TriggerRound } from '@knowhow/shared/skills/trigger-tests';
import type { Selectable } from 'kysely';
import { uuidv7 } from '../../../../platform/lib/uuidv7.ts';
import type { Database } from '../../../../platform/storage/open-database.ts';
import type { Schema } from '../../../../platform/storage/schema.ts';

/** A round of scheduled trigger tests, as stored. */
export interface StoredRound extends TriggerRound {
  id: string;
  /** Number of attempts in which a model did not answer. */
  failures: number;
}

/** The state of scheduled trigger tests, for all nodes. */
export interface TriggerRounds {
  /** The newest first. */
  list(): Promise<StoredRound[]>;
  /** Ends the rounds before, and deletes the oldest ones. */
  begin(round: Pick<StoredRound, 'kind' | 'models'>): Promise<StoredRound>;
  /** Stores the progress of a round, and the models with which a skill was tested in it. */
  save(round: StoredRound, done?: { skill: string; models: readonly string[] }): Promise<void>;
  /** The id of the last round in which each skill was tested, by model. */
  tested(): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>;
}

const maxRounds = 20;

export function createTriggerRounds(database: Database): TriggerRounds {
  const list = async () => {
    const rows = await database
      .selectFrom('trigger_rounds')
      .selectAll()
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toRound);
  };
  return {
    list,
    begin: async (begun) => {
      const beganAt = new Date().toISOString();
      const counts = { tested: 0, remaining: 0, tokens: 0, failures: 0 };
      const round = { ...begun, ...counts, id: uuidv7(), beganAt, isCapped: false };
      await database.transaction().execute(async (write) => {
        await write
          .updateTable('trigger_rounds')
          .set({ ended_at: beganAt })
          .where('ended_at', 'is', null)
          .execute();
        await write.insertInto('trigger_rounds').values(toRow(round)).execute();
      });
      const oldest = (await list())[maxRounds - 1]?.id;
      if (oldest !== undefined) {
        await database.deleteFrom('trigger_rounds').where('id', '<', oldest).execute();
        // A skill or model that was not tested for so long is probably gone.
        await database.deleteFrom('trigger_round_skills').where('round', '<', oldest).execute();
      }
      return round;
    },
    save: (round, done) =>
      database.transaction().execute(async (write) => {
        const { id, ...row } = toRow(round);
        await write.updateTable('trigger_rounds').set(row).where('id', '=', id).execute();
        for (const model of done?.models ?? []) {
          await write
            .insertInto('trigger_round_skills')
            .values({ skill: done?.skill ?? '', model, round: id })
            .onConflict((conflict) =>
              conflict.columns(['skill', 'model']).doUpdateSet({ round: id }),
            )
            .execute();
        }
      }),
    tested: async () => {
      const rows = await database.selectFrom('trigger_round_skills').selectAll().execute();
      const bySkill = new Map<string, Map<string, string>>();
      for (const { skill, model, round } of rows) {
        const byModel = bySkill.get(skill) ?? new Map<string, string>();
        bySkill.set(skill, byModel.set(model, round));
      }
      return bySkill;
    },
  };
}

type Row = Selectable<Schema['trigger_rounds']>;

function toRound({ began_at, ended_at, models, is_capped, problem, ...row }: Row): StoredRound {
  return {
    ...row,
    beganAt: began_at,
    ...(ended_at === null ? {} : { endedAt: ended_at }),
    models: JSON.parse(models),
    isCapped: is_capped === 1,
    ...(problem === null ? {} : { problem: JSON.parse(problem) }),
  };
}

function toRow({ beganAt, endedAt, models, isCapped, problem, ...round }: StoredRound): Row {
  return {
    ...round,
    began_at: beganAt,
    ended_at: endedAt ?? null,
    models: JSON.stringify(models),
    is_capped: isCapped ? 1 : 0,
    problem: problem ? JSON.stringify(problem) : null,
  };
}
