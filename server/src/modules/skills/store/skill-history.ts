import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Revision } from '@knowhow/shared/skills/skill-history';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { acquireTransactionLock } from '../../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { PackedFile } from '../format/skill-format.ts';
import type { SkillStates } from './skill-states.ts';
import { createSkillStates } from './skill-states.ts';
import { ignoreMissing } from './walk-folder.ts';

/**
 * The recent revisions of each skill, including deletions, so that a deleted skill can be restored.
 * Skills are named by id.
 */
export interface SkillHistory {
  /** Before a write: records the current files if they were changed on the disk. */
  keepBefore(skill: string, files: readonly PackedFile[]): Promise<void>;
  /** After a write. Resolves when it is durable. */
  record(skill: string, change: SkillChange): Promise<void>;
  /** Newest first. */
  list(skill: string): Promise<StoredRevision[]>;
  /** The files of a revision; undefined if there is no such revision, or if it is a deletion. */
  files(skill: string, number: number): Promise<PackedFile[] | undefined>;
  /**
   * Assignments to restore after a deletion; undefined unless the skill's last revision is a
   * deletion.
   */
  assignments(skill: string): Promise<SkillAssignments | undefined>;
  /** At startup: migrates files of earlier versions, and removes leftovers of a crash. */
  recover(): Promise<void>;
}

export interface SkillChange {
  action: string;
  /** For example, the path of the written file. */
  summary: string;
  by: { id: string; name: string };
  /** Current files; `undefined` for a deletion. */
  files: readonly PackedFile[] | undefined;
  /** Assignments that a deletion removes. */
  assignments?: SkillAssignments;
}

/** Everything that the configuration says about a skill. */
export interface SkillAssignments {
  /** Its entry in `config/skills.json`. */
  entry?: unknown;
  /** By app id. */
  apps?: Record<string, AppAssignment>;
  /** Ids of the groups that grant it. */
  groups?: string[];
}

export interface AppAssignment {
  /** Its position in `skills`. */
  skills?: number;
  autoInject?: true;
  exclude?: true;
}

export type StoredRevision = Omit<Revision, 'current'>;

type Row = Schema['skill_revisions'];

const maxRevisions = 20;

/** @param directory where earlier versions stored the states */
export function createSkillHistory(options: {
  cluster: Cluster;
  database: Database;
  directory: string;
}): SkillHistory {
  const { cluster, database, directory } = options;
  const states = createSkillStates(database);
  const withLock = <Result>(run: () => Promise<Result>) => cluster.withLock('skill history', run);

  const checksumsOf = async (skill: string) =>
    new Set((await rowsOf(database, skill)).map(({ checksum }) => checksum));
  const tidyUp = async (skill: string) => {
    await states.keepOnly(skill, await checksumsOf(skill));
  };
  const add = async (row: NewRow, files: readonly PackedFile[]) => {
    if (row.checksum !== null) {
      await states.write(row.skill, row.checksum, files);
    }
    await insert(database, row);
    // It is recorded: cleanup can be repeated at the next start.
    await tidyUp(row.skill).catch(() => undefined);
  };
  return {
    keepBefore: (skill, files) =>
      withLock(async () => {
        const [newest] = await rowsOf(database, skill);
        const figures = await figuresOf(files);
        if (newest?.checksum !== figures.checksum) {
          const found = { action: 'found', summary: '', user_id: null, user_name: null };
          await add({ skill, ...found, ...figures, assignments: null }, files);
        }
      }),
    record: (skill, { action, summary, by, files, assignments }) =>
      withLock(async () => {
        const user = { user_id: by.id, user_name: by.name };
        const figures = await figuresOf(files);
        const serialized = assignments ? JSON.stringify(assignments) : null;
        await add(
          { skill, action, summary, ...user, ...figures, assignments: serialized },
          files ?? [],
        );
      }),
    list: async (skill) => (await rowsOf(database, skill)).map(revisionOf),
    files: async (skill, number) => {
      const rows = await rowsOf(database, skill);
      const checksum = rows.find((row) => row.number === number)?.checksum;
      return checksum ? states.read(skill, checksum) : undefined;
    },
    assignments: async (skill) => {
      const [newest] = await rowsOf(database, skill);
      return newest?.checksum === null && newest.assignments !== null
        ? (JSON.parse(newest.assignments) as SkillAssignments)
        : undefined;
    },
    recover: () =>
      withLock(async () => {
        await migrateSkillStates(directory, states, checksumsOf);
        for (const skill of await states.skills()) {
          await tidyUp(skill);
        }
      }),
  };
}

type NewRow = Omit<Row, 'number' | 'at'>;

/** Hashing large files may take 0.1 s, so it yields before and after. */
async function figuresOf(files: readonly PackedFile[] | undefined) {
  if (!files) {
    return { checksum: null, files: 0, bytes: 0 };
  }
  await yieldToEventLoop();
  const checksum = getFilesChecksum(files);
  await yieldToEventLoop();
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  return { checksum, files: files.length, bytes };
}

/** Newest first. */
function rowsOf(database: Database, skill: string): Promise<Row[]> {
  return database
    .selectFrom('skill_revisions')
    .selectAll()
    .where('skill', '=', skill)
    .orderBy('number', 'desc')
    .execute();
}

/**
 * Inserts a revision with the next number, and deletes the oldest ones. The newest remains, so that
 * no number is reused.
 */
async function insert(database: Database, row: NewRow): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await acquireTransactionLock(transaction, `revisions ${row.skill}`);
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

/**
 * Migrates states that earlier versions stored as files, `<skill>/<checksum>.zip`, to the database.
 * Each file is deleted only after it is stored, so that a crash loses none.
 *
 * @param checksumsOf checksums in a skill's history: other states are deleted
 */
async function migrateSkillStates(
  directory: string,
  states: SkillStates,
  checksumsOf: (skill: string) => Promise<ReadonlySet<string | null>>,
): Promise<void> {
  for (const skill of (await ignoreMissing(readdir(directory))) ?? []) {
    const folder = join(directory, skill);
    const checksums = await checksumsOf(skill);
    for (const name of (await ignoreMissing(readdir(folder))) ?? []) {
      const path = join(folder, name);
      const checksum = name.replace(/\.zip$/, '');
      if (checksums.has(checksum)) {
        await states.writeZip(skill, checksum, () => readFile(path));
      }
      await rm(path, { recursive: true, force: true });
    }
  }
  await rm(directory, { recursive: true, force: true });
}
