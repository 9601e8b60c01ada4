import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { SourceState } from '@knowhow/shared/skills/skill-sources';
import type { PackedFile } from '@knowhow/skill-format';
import type { Kysely } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { createPauses } from '../../../platform/lib/create-pauses.ts';
import { slices } from '../../../platform/lib/slices.ts';
import { acquireTransactionLock } from '../../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { findOrAddSkill } from '../versions/find-skill.ts';
import {
  describeFiles,
  type ManifestFile,
  readManifest,
  writeManifest,
} from '../versions/manifest.ts';
import { readFiles, writeBlobs } from '../versions/skill-blobs.ts';
import { blobLock, claimBlobs, releaseUnused, withContents } from '../versions/stored-contents.ts';

/** A skill that was taken from a source. */
export interface TakenSkill {
  /** Its name in the repository. */
  skill: string;
  /** Its name here; undefined if it is unknown. */
  localName: string | undefined;
  /** Its folder in the repository. */
  path: string;
  /** The commit from which it was taken. */
  commit: string;
  /** Checksum of its files in that commit. */
  checksum: string;
  /** Its files in that commit, the base for merges; undefined if they are not stored. */
  base: ManifestFile[] | undefined;
  /** Identifies its files in that commit without reading them; undefined if it is unknown. */
  tree: string | undefined;
  /** For a detached skill, the address of the repository. */
  url: string | undefined;
  /** ISO 8601, UTC; undefined for a skill that follows the source. */
  detachedAt: string | undefined;
}

/** A skill to record as taken. */
export interface Taking
  extends Pick<TakenSkill, 'skill' | 'path' | 'commit' | 'checksum' | 'tree'> {
  /** Its files in the commit. */
  files: readonly PackedFile[];
  /** Whether a version of the skill has the same files, so that they are stored already. */
  hasVersion: boolean;
}

/** The result of the last sync, and the checksum of what the source selected then. */
type StoredState = Omit<SourceState, 'needsReview' | 'webhook' | 'isLocked'> & {
  selection: string | undefined;
  /** The checksum of the commit of which an automatic sync has taken all that it may take, and of its settings. */
  settled: string | undefined;
};

/** The number of proposed changes, and of those that concern skills that were edited here. */
export type PendingChanges = Pick<SourceState, 'pending' | 'edited'>;

/** The results of syncs, for all nodes. */
export interface SourceStates {
  get(source: string): Promise<StoredState>;
  taken(source: string): Promise<TakenSkill[]>;
  /** The sources from which a skill was taken, by its name here. */
  upstreams(localName: string): Promise<(TakenSkill & { source: string })[]>;
  /** Records a sync. Without a commit, it failed, and the earlier result stays. */
  record(
    source: string,
    result: (PendingChanges & { commit: string; selection: string }) | { error: string },
  ): Promise<void>;
  /** Records that an automatic sync has taken all that it may take. */
  settle(source: string, settlement: string): Promise<void>;
  /** Records skills that were taken, and those that no longer belong to the source. */
  take(
    source: string,
    change: PendingChanges & {
      taken: readonly Taking[];
      left: readonly string[];
      /** Records a sync as well. */
      seen?: { commit: string; selection: string };
    },
  ): Promise<void>;
  /** Detaches a skill from a source, with the address of the repository, or lets it follow the source again. */
  detach(source: string, skill: string, url: string | undefined): Promise<void>;
  /** The files of a base; undefined if one is not stored. */
  files(base: readonly ManifestFile[]): Promise<PackedFile[] | undefined>;
  /** Lets the next sync compare all skills, also if the commit was seen before. What the last one found stays. */
  compareAgain(source: string): Promise<void>;
  /** Forgets the last sync of a source, but not what was taken from it. */
  forgetSync(source: string): Promise<void>;
  /** Forgets a source, except for skills that are detached from it. */
  forget(source: string): Promise<void>;
}

/** Rows per statement: thousands of statements would take seconds on PostgreSQL. */
const sliceSize = 100;

export function createSourceStates(
  cluster: Pick<Cluster, 'withLock'>,
  database: Database,
): SourceStates {
  return {
    get: (source) => getState(database, source),
    taken: (source) => getTaken(database, source),
    upstreams: async (localName) => {
      const rows = await selectTaken(database).where('skills.name', '=', localName).execute();
      return rows.map((row) => ({ ...toTaken(row), source: row.source }));
    },
    record: (source, result) => recordSync(database, source, result),
    settle: async (source, settled) => {
      await database
        .updateTable('skill_source_states')
        .set({ settled })
        .where('source', '=', source)
        .execute();
    },
    take: (source, change) => withContents(cluster, () => take(database, source, change)),
    detach: async (source, skill, url) => {
      const detached_at = url === undefined ? null : new Date().toISOString();
      await database
        .updateTable('skill_source_skills')
        .set({ url: url ?? null, detached_at })
        .where('source', '=', source)
        .where('skill', '=', skill)
        .execute();
    },
    files: (base) => readFiles(database, base),
    compareAgain: async (source) => {
      await database
        .updateTable('skill_source_states')
        .set({ selection: null, settled: null })
        .where('source', '=', source)
        .execute();
    },
    forgetSync: async (source) => {
      await database.deleteFrom('skill_source_states').where('source', '=', source).execute();
    },
    forget: (source) => withContents(cluster, () => forget(database, source)),
  };
}

async function getState(database: Database, source: string): Promise<StoredState> {
  const row = await database
    .selectFrom('skill_source_states')
    .selectAll()
    .where('source', '=', source)
    .executeTakeFirst();
  const count = await database
    .selectFrom('skill_source_skills')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('source', '=', source)
    .where('detached_at', 'is', null)
    .executeTakeFirst();
  return {
    ...(row?.commit_id ? { commit: row.commit_id } : {}),
    ...(row ? { syncedAt: row.synced_at } : {}),
    ...(row?.error ? { error: row.error } : {}),
    selection: row?.selection ?? undefined,
    settled: row?.settled ?? undefined,
    pending: row?.pending ?? 0,
    edited: row?.edited ?? 0,
    skills: Number(count?.total ?? 0),
  };
}

async function recordSync(
  database: Kysely<Schema>,
  source: string,
  result: Parameters<SourceStates['record']>[1],
): Promise<void> {
  const synced_at = new Date().toISOString();
  const now =
    'error' in result
      ? { synced_at, error: result.error }
      : {
          ...{ synced_at, error: null, commit_id: result.commit },
          ...{ pending: result.pending, edited: result.edited, selection: result.selection },
        };
  const none = { commit_id: null, pending: 0, edited: 0, selection: null, settled: null };
  await database
    .insertInto('skill_source_states')
    .values({ source, ...none, ...now })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(now))
    .execute();
}

/**
 * Milliseconds between two turns of the event loop within a transaction. Statements of SQLite are synchronous, and
 * all others wait for the end of the transaction.
 */
const sliceMs = 20;

/** Rows that are read and parsed between two turns of the event loop. */
const readSize = 250;

async function getTaken(database: Database, source: string): Promise<TakenSkill[]> {
  const taken: TakenSkill[] = [];
  let last: string | undefined = '';
  while (last !== undefined) {
    const rows = await selectTaken(database)
      .where('source', '=', source)
      .where('skill', '>', last)
      .limit(readSize)
      .execute();
    taken.push(...rows.map(toTaken));
    last = rows.length < readSize ? undefined : rows.at(-1)?.skill;
    await yieldToEventLoop();
  }
  return taken;
}

function selectTaken(database: Database) {
  return database
    .selectFrom('skill_source_skills')
    .leftJoin('skills', 'skills.id', 'skill_source_skills.skill_id')
    .selectAll('skill_source_skills')
    .select('skills.name as local_name')
    .orderBy('source')
    .orderBy('skill');
}

function toTaken(row: Schema['skill_source_skills'] & { local_name: string | null }): TakenSkill {
  const { skill, path, commit_id: commit, checksum, manifest } = row;
  return {
    ...{ skill, path, commit, checksum },
    localName: row.local_name ?? undefined,
    base: manifest === null ? undefined : readManifest(manifest),
    tree: row.tree ?? undefined,
    url: row.url ?? undefined,
    detachedAt: row.detached_at ?? undefined,
  };
}

async function take(
  database: Database,
  source: string,
  { taken, left, pending, edited, seen }: Parameters<SourceStates['take']>[1],
): Promise<void> {
  const manifests = new Map<string, ManifestFile[]>();
  for (const some of slices(taken, sliceSize)) {
    const contents: { manifest: ManifestFile[]; files: readonly PackedFile[] }[] = [];
    for (const { skill, files, hasVersion } of some) {
      const { manifest } = await describeFiles(files);
      manifests.set(skill, manifest);
      contents.push(...(hasVersion ? [] : [{ manifest, files }]));
      await yieldToEventLoop();
    }
    await writeBlobs(database, ...contents);
  }
  await database.transaction().execute(async (write) => {
    await acquireTransactionLock(write, blobLock);
    const pause = createPauses(sliceMs);
    const ids = await findSkills(write, [...manifests.keys()]);
    for (const { skill, hasVersion } of taken) {
      // A skill that was the same in its folder here may have no version.
      const id = ids.get(skill) ?? (await findOrAddSkill(write, skill));
      ids.set(skill, id);
      if (!hasVersion) {
        await claimBlobs(write, id, manifests.get(skill) ?? []);
        await pause();
      }
    }
    const old: Base[] = [];
    for (const names of slices([...left, ...manifests.keys()], sliceSize)) {
      const deleted = await write
        .deleteFrom('skill_source_skills')
        .where('source', '=', source)
        .where('skill', 'in', names)
        .returning(['skill_id', 'manifest'])
        .execute();
      old.push(...deleted);
    }
    for (const some of slices(taken, sliceSize)) {
      const rows = some.map(({ skill, path, commit, checksum, tree = null }) => ({
        ...{ source, skill, path, commit_id: commit, checksum, tree },
        skill_id: ids.get(skill) ?? null,
        manifest: writeManifest(manifests.get(skill) ?? []),
        ...{ url: null, detached_at: null },
      }));
      await write.insertInto('skill_source_skills').values(rows).execute();
    }
    await releaseBases(write, old);
    if (seen) {
      await recordSync(write, source, { ...seen, pending, edited });
      return;
    }
    await write
      .updateTable('skill_source_states')
      .set({ pending, edited })
      .where('source', '=', source)
      .execute();
  });
}

async function forget(database: Database, source: string): Promise<void> {
  await database.transaction().execute(async (write) => {
    await acquireTransactionLock(write, blobLock);
    const old = await write
      .deleteFrom('skill_source_skills')
      .where('source', '=', source)
      .where('detached_at', 'is', null)
      .returning(['skill_id', 'manifest'])
      .execute();
    await releaseBases(write, old);
    await write.deleteFrom('skill_source_states').where('source', '=', source).execute();
  });
}

async function findSkills(
  write: Kysely<Schema>,
  names: readonly string[],
): Promise<Map<string, string>> {
  const found: [string, string][] = [];
  for (const some of slices(names, sliceSize)) {
    const rows = await write
      .selectFrom('skills')
      .select(['id', 'name'])
      .where('name', 'in', some)
      .execute();
    found.push(...rows.map(({ id, name }): [string, string] => [name, id]));
  }
  return new Map(found);
}

type Base = Pick<Schema['skill_source_skills'], 'skill_id' | 'manifest'>;

/** Releases the contents of deleted bases. */
async function releaseBases(write: Kysely<Schema>, deleted: readonly Base[]): Promise<void> {
  const pause = createPauses(sliceMs);
  for (const { skill_id: id, manifest } of deleted) {
    if (id !== null && manifest !== null) {
      await releaseUnused(write, id, [{ manifest }]);
      await pause();
    }
  }
}
