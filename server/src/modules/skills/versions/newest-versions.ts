import type { Kysely } from 'kysely';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { PublishedVersion, StoredSkill } from '../store/skill-source.ts';
import { findMain } from './category-of.ts';
import { readManifest } from './manifest.ts';

/** The newest version of each skill, in memory: turns name it without a query. */
export interface NewestVersions {
  /**
   * The version of a skill as it is now; undefined if its `SKILL.md` has no version yet. Another
   * file that changed without a version is not noticed.
   */
  find(skill: Pick<StoredSkill, 'id' | 'checksum'>): PublishedVersion | undefined;
  /** Names of the skills that are not deleted. */
  names(): Iterable<string>;
  /** Reads some skills, or all. */
  refresh(skills?: readonly string[]): Promise<void>;
}

interface Newest extends PublishedVersion {
  /** SHA-256 of `SKILL.md`, in hex. */
  main: string | undefined;
}

const batchSize = 200;

export function createNewestVersions(database: Kysely<Schema>): NewestVersions {
  let newest = new Map<string, Newest>();
  const rowsAfter = (after: string) =>
    selectNewest(database, { after, limit: batchSize }).execute();
  const readAll = async () => {
    const all = new Map<string, Newest>();
    for (let last = ''; ; ) {
      const rows = await rowsAfter(last);
      for (const row of rows) {
        addTo(all, row.name, row);
      }
      const end = rows.at(-1)?.name;
      if (rows.length < batchSize || end === undefined) {
        return all;
      }
      last = end;
    }
  };
  return {
    find: ({ id, checksum }) => {
      const version = newest.get(id);
      if (version?.main !== checksum) {
        return undefined;
      }
      const { main: _, ...published } = version;
      return published;
    },
    names: () => newest.keys(),
    refresh: async (skills) => {
      if (skills === undefined) {
        newest = await readAll();
        return;
      }
      const rows = await selectNewest(database, { names: skills, limit: skills.length }).execute();
      const byName = new Map(rows.map((row) => [row.name, row]));
      for (const skill of skills) {
        addTo(newest, skill, byName.get(skill));
      }
    },
  };
}

/** Selects the newest versions, also of deleted skills, by name: those after a name, or of some skills. */
export function selectNewest(
  database: Kysely<Schema>,
  { limit, ...wanted }: { limit: number } & ({ after: string } | { names: readonly string[] }),
) {
  return database
    .selectFrom('skill_versions as version')
    .innerJoin('skills', 'skills.id', 'version.skill')
    .select(['skills.name', 'version.number', 'version.digest', 'version.checksum'])
    .select(['version.manifest', 'version.created_at'])
    .where('version.number', '=', (query) =>
      query
        .selectFrom('skill_versions as other')
        .select(({ fn }) => fn.max('other.number').as('number'))
        .whereRef('other.skill', '=', 'version.skill'),
    )
    .where((where) =>
      'names' in wanted
        ? where('skills.name', 'in', inList(wanted.names))
        : where('skills.name', '>', wanted.after),
    )
    .orderBy('skills.name')
    .limit(limit);
}

type Row = Pick<Schema['skill_versions'], 'number' | 'digest' | 'manifest' | 'created_at'>;

function addTo(newest: Map<string, Newest>, skill: string, row: Row | undefined): void {
  if (!row || row.digest === null) {
    newest.delete(skill);
    return;
  }
  const main = row.manifest === null ? undefined : findMain(readManifest(row.manifest));
  newest.set(skill, {
    number: row.number,
    digest: row.digest,
    createdAt: row.created_at,
    main: main && Buffer.from(main.digest, 'base64url').toString('hex'),
  });
}
