import { parseSkill } from '@knowhow/skill-format';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { StoredSkill } from '../store/skill-source.ts';
import { findMain } from './category-of.ts';
import { readManifest } from './manifest.ts';
import { digestsOf, readBlob, readStoredSizes } from './skill-blobs.ts';
import { createVersionSource, getVersionPath, type VersionFiles } from './version-source.ts';
import type { WantedVersions } from './wanted-versions.ts';

/** Versions that apps pin or groups preview, by skill id and number, ready to be offered. */
export type FixedVersions = ReadonlyMap<string, ReadonlyMap<number, StoredSkill>>;

/** Why a version cannot be offered: it does not exist, or its content is not completely stored. */
export type VersionIssue = 'missing' | 'incomplete';

export interface FixedVersionReader {
  /**
   * Reads wanted versions that are not loaded, and drops others. Resolves when `onChange` has been
   * called for what was found.
   *
   * @param everything whether loaded versions are read again, because a restore may have changed them
   */
  refresh(wanted: WantedVersions, everything?: boolean): Promise<void>;
  /** Whether all of these versions have been looked for. */
  knows(wanted: WantedVersions): boolean;
  /** Undefined for a version that is offered, or that has not been looked for. */
  findIssue(skill: string, number: number): VersionIssue | undefined;
}

interface Options {
  database: Kysely<Schema>;
  /** Called with a new map if a version was loaded or dropped. */
  onChange: (versions: FixedVersions) => void;
}

interface Loaded extends VersionFiles {
  checksum: string | null;
  skill: StoredSkill;
}

type Found = Loaded | VersionIssue;

/** Number of versions that one query looks for. */
const batchSize = 50;

/** Keeps names, manifests and sizes of versions in memory; contents are read when they are needed. */
export function createFixedVersionReader({ database, onChange }: Options): FixedVersionReader {
  let found = new Map<string, Found>();
  let work: Promise<unknown> = Promise.resolve();
  const source = createVersionSource({
    location: 'versions',
    find: (path) => {
      const version = found.get(path);
      return typeof version === 'object' ? version : undefined;
    },
    read: ({ digest }) => readBlob(database, digest),
  });

  async function load(skill: string, row: Row): Promise<Found> {
    const manifest = row.manifest === null ? [] : readManifest(row.manifest);
    const digests = digestsOf(manifest);
    const sizes = await readStoredSizes(database, digests);
    const main = findMain(manifest);
    const bytes = main && (await readBlob(database, main.digest));
    if (!bytes || sizes.size < digests.length) {
      return 'incomplete';
    }
    const createdAt = Date.parse(row.created_at);
    const fixed = { number: row.number, digest: row.digest ?? '' };
    return {
      manifest,
      sizes,
      createdAt,
      checksum: row.checksum,
      skill: {
        ...parseSkill(bytes, skill).skill,
        source,
        path: getVersionPath(skill, row.number),
        updatedAt: createdAt,
        fixed,
      },
    };
  }

  async function read(wanted: WantedVersions, everything: boolean): Promise<void> {
    const names = [...wanted].flatMap(([skill, numbers]) =>
      [...numbers].map((number) => ({ skill, number })),
    );
    const next = new Map<string, Found>();
    for (let at = 0; at < names.length; at += batchSize) {
      const batch = names.slice(at, at + batchSize);
      const rows = await findRows(database, batch);
      for (const { skill, number } of batch) {
        const path = getVersionPath(skill, number);
        const row = rows.get(path);
        const known = everything ? undefined : found.get(path);
        next.set(path, row ? await loadOnce(known, skill, row) : 'missing');
      }
    }
    const isSame =
      next.size === found.size && [...next].every(([path, each]) => found.get(path) === each);
    if (!isSame) {
      found = next;
      onChange(groupBySkill(next));
    }
  }

  async function loadOnce(
    known: Found | undefined,
    skill: string,
    row: Omit<Row, 'manifest'>,
  ): Promise<Found> {
    if (typeof known === 'object' && known.checksum === row.checksum) {
      return known;
    }
    const whole = await readRow(database, skill, row.number);
    return whole ? load(skill, whole) : 'missing';
  }

  return {
    refresh: (wanted, everything = false) => {
      const done = work.then(() => read(wanted, everything));
      work = done.catch(() => undefined);
      return done;
    },
    knows: (wanted) =>
      [...wanted].every(([skill, numbers]) =>
        [...numbers].every((number) => found.has(getVersionPath(skill, number))),
      ),
    findIssue: (skill, number) => {
      const version = found.get(getVersionPath(skill, number));
      return typeof version === 'string' ? version : undefined;
    },
  };
}

type Row = Pick<
  Schema['skill_versions'],
  'number' | 'digest' | 'checksum' | 'manifest' | 'created_at'
>;

/** Versions by path, without deletions and without their manifests. */
async function findRows(
  database: Kysely<Schema>,
  names: readonly { skill: string; number: number }[],
): Promise<Map<string, Omit<Row, 'manifest'>>> {
  const rows = await database
    .selectFrom('skill_versions as version')
    .innerJoin('skills', 'skills.id', 'version.skill')
    .select([
      'skills.name',
      'version.number',
      'version.digest',
      'version.checksum',
      'version.created_at',
    ])
    .where(({ or, and, eb }) =>
      or(
        names.map(({ skill, number }) =>
          and([eb('skills.name', '=', skill), eb('version.number', '=', number)]),
        ),
      ),
    )
    .where('version.checksum', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [getVersionPath(row.name, row.number), row]));
}

async function readRow(
  database: Kysely<Schema>,
  skill: string,
  number: number,
): Promise<Row | undefined> {
  return database
    .selectFrom('skill_versions as version')
    .innerJoin('skills', 'skills.id', 'version.skill')
    .select([
      'version.number',
      'version.digest',
      'version.checksum',
      'version.manifest',
      'version.created_at',
    ])
    .where('skills.name', '=', skill)
    .where('version.number', '=', number)
    .executeTakeFirst();
}

function groupBySkill(found: ReadonlyMap<string, Found>): FixedVersions {
  const grouped = new Map<string, Map<number, StoredSkill>>();
  for (const each of found.values()) {
    if (typeof each === 'object' && each.skill.fixed) {
      const { skill } = each;
      const versions = grouped.get(skill.id) ?? new Map<number, StoredSkill>();
      grouped.set(skill.id, versions.set(skill.fixed?.number ?? 0, skill));
    }
  }
  return grouped;
}
