import type { Revision } from '@knowhow/shared/skill-history';
import type { Cluster } from '../cluster/cluster.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';
import type { Database } from '../storage/open-database.ts';
import type { Schema } from '../storage/schema.ts';
import { checksumOf } from './folder-content.ts';
import { createSkillHistoryFiles } from './skill-history-files.ts';

/**
 * The last states of each skill, deletions among them: that of a deleted skill stays, so that it can
 * be brought back. A skill is named by its id.
 */
export interface SkillHistory {
  /** Before a write: records the files as they are if somebody has changed them on the disk. */
  keepBefore(skill: string, files: readonly PackedFile[]): Promise<void>;
  /** After a write. Resolves when it is on the disk. */
  record(skill: string, change: SkillChange): Promise<void>;
  /** The newest first. */
  list(skill: string): Promise<StoredRevision[]>;
  /** The files of a state; undefined when there is no such state, or when it is a deletion. */
  files(skill: string, number: number): Promise<PackedFile[] | undefined>;
  /** At start: removes what a crash has left. */
  recover(): Promise<void>;
}

export interface SkillChange {
  action: string;
  /** Such as the path of the file that was written. */
  summary: string;
  by: { id: string; name: string };
  /** As they are now; `undefined` for a deletion. */
  files: readonly PackedFile[] | undefined;
}

export type StoredRevision = Omit<Revision, 'current'>;

type Row = Schema['skill_revisions'];

const maxRevisions = 20;

/** @param directory where the states are kept */
export function createSkillHistory(options: {
  cluster: Cluster;
  database: Database;
  directory: string;
}): SkillHistory {
  const { cluster, database, directory } = options;
  const kept = createSkillHistoryFiles(directory);
  const inTurn = <Result>(run: () => Promise<Result>) => cluster.withLock('skill history', run);

  const tidyUp = async (skill: string) => {
    const rows = await rowsOf(database, skill);
    await kept.keepOnly(skill, new Set(rows.map(({ checksum }) => checksum)));
  };
  const add = async (row: NewRow, files: readonly PackedFile[]) => {
    if (row.checksum !== null) {
      await kept.write(row.skill, row.checksum, files);
    }
    await insert(database, row);
    // It is recorded: what cannot be removed now is at the next start.
    await tidyUp(row.skill).catch(() => undefined);
  };
  return {
    keepBefore: (skill, files) =>
      inTurn(async () => {
        const [newest] = await rowsOf(database, skill);
        const figures = figuresOf(files);
        if (newest?.checksum !== figures.checksum) {
          const found = { action: 'found', summary: '', user_id: null, user_name: null };
          await add({ skill, ...found, ...figures }, files);
        }
      }),
    record: (skill, { action, summary, by, files }) =>
      inTurn(() => {
        const who = { user_id: by.id, user_name: by.name };
        return add({ skill, action, summary, ...who, ...figuresOf(files) }, files ?? []);
      }),
    list: async (skill) => (await rowsOf(database, skill)).map(revisionOf),
    files: async (skill, number) => {
      const rows = await rowsOf(database, skill);
      const checksum = rows.find((row) => row.number === number)?.checksum;
      return checksum ? kept.read(skill, checksum) : undefined;
    },
    recover: () =>
      inTurn(async () => {
        for (const skill of await kept.skills()) {
          await tidyUp(skill);
        }
      }),
  };
}

type NewRow = Omit<Row, 'number' | 'at'>;

function figuresOf(files: readonly PackedFile[] | undefined) {
  return files
    ? {
        checksum: checksumOf(files),
        files: files.length,
        bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
      }
    : { checksum: null, files: 0, bytes: 0 };
}

/** The newest first. */
function rowsOf(database: Database, skill: string): Promise<Row[]> {
  return database
    .selectFrom('skill_revisions')
    .selectAll()
    .where('skill', '=', skill)
    .orderBy('number', 'desc')
    .execute();
}

/** Gives it the next number, and forgets the oldest. The newest stays, so no number comes twice. */
async function insert(database: Database, row: NewRow): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const newest = await transaction
      .selectFrom('skill_revisions')
      .select('number')
      .where('skill', '=', row.skill)
      .orderBy('number', 'desc')
      .executeTakeFirst();
    const number = (newest?.number ?? 0) + 1;
    await transaction
      .insertInto('skill_revisions')
      .values({ ...row, number, at: new Date().toISOString() })
      .execute();
    await transaction
      .deleteFrom('skill_revisions')
      .where('skill', '=', row.skill)
      .where('number', '<=', number - maxRevisions)
      .execute();
  });
}

function revisionOf(row: Row): StoredRevision {
  const { number, at, action, summary, files, bytes } = row;
  return {
    number,
    at,
    action,
    summary,
    files,
    bytes,
    ...(row.user_name === null ? {} : { by: row.user_name }),
    ...(row.checksum === null ? {} : { checksum: row.checksum }),
  };
}
