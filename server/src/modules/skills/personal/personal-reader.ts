import { personalSkillName } from '@knowhow/shared/skills/skill-id';
import { parseSkill } from '@knowhow/skill-format';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { PersonalSkill } from '../store/skill-source.ts';
import { readManifest } from '../versions/manifest.ts';
import { digestsOf, readBlob, readStoredSizes } from '../versions/skill-blobs.ts';
import { createVersionSource, type VersionFiles } from '../versions/version-source.ts';

/** Keeps the personal skills of all users in memory, without their contents. */
export interface PersonalSkillReader {
  /** By name; the same list as long as nothing has changed. */
  of(owner: string): readonly PersonalSkill[];
  /** Reads the skills of one user again, or those of all. Resolves when `of` has them. */
  refresh(owner?: string): Promise<void>;
}

interface Loaded extends VersionFiles {
  skill: PersonalSkill;
}

type Row = Schema['personal_skills'];

const none: readonly PersonalSkill[] = [];
/** Users whose ids are read with one query. */
const batchSize = 200;

export function createPersonalSkillReader(database: Kysely<Schema>): PersonalSkillReader {
  /** By id. */
  const loaded = new Map<string, Loaded>();
  const byOwner = new Map<string, readonly PersonalSkill[]>();
  let work: Promise<unknown> = Promise.resolve();
  const source = createVersionSource({
    location: 'personal',
    find: (path) => loaded.get(path),
    read: ({ digest }) => readBlob(database, digest),
  });

  async function load(row: Row): Promise<Loaded | undefined> {
    const known = loaded.get(row.name);
    if (known?.skill.filesChecksum === row.checksum) {
      return known;
    }
    const manifest = readManifest(row.manifest);
    const digests = digestsOf(manifest);
    const sizes = await readStoredSizes(database, digests);
    const main = manifest.find(({ path }) => path === 'SKILL.md');
    const bytes = main && (await readBlob(database, main.digest));
    if (!bytes || sizes.size < digests.length) {
      return undefined;
    }
    const updatedAt = Date.parse(row.updated_at);
    const { skill } = parseSkill(bytes, personalSkillName(row.name));
    return {
      manifest,
      sizes,
      createdAt: updatedAt,
      skill: {
        ...skill,
        id: row.name,
        // Only an administrator's skills run code or name tools.
        allowedTools: [],
        source,
        path: row.name,
        updatedAt,
        filesChecksum: row.checksum,
      },
    };
  }

  async function readOwner(owner: string, rows: readonly Row[]): Promise<void> {
    const found: Loaded[] = [];
    for (const row of rows) {
      const skill = await load(row);
      if (skill) {
        found.push(skill);
      }
    }
    for (const skill of byOwner.get(owner) ?? none) {
      // Another user's skill may have got the id of a deleted one.
      if (loaded.get(skill.id)?.skill === skill) {
        loaded.delete(skill.id);
      }
    }
    for (const each of found) {
      loaded.set(each.skill.id, each);
    }
    if (found.length === 0) {
      byOwner.delete(owner);
    } else {
      byOwner.set(
        owner,
        found.map(({ skill }) => skill),
      );
    }
  }

  async function readAll(): Promise<void> {
    const gone = new Set(byOwner.keys());
    for (let last = ''; ; ) {
      const owners = await database
        .selectFrom('personal_skills')
        .select('owner')
        .distinct()
        .where('owner', '>', last)
        .orderBy('owner')
        .limit(batchSize)
        .execute();
      for (const { owner } of owners) {
        gone.delete(owner);
        await readOwner(owner, await rowsOf(database, owner));
        last = owner;
      }
      if (owners.length < batchSize) {
        break;
      }
    }
    for (const owner of gone) {
      await readOwner(owner, []);
    }
  }

  return {
    of: (owner) => byOwner.get(owner) ?? none,
    refresh: (owner) => {
      const done = work.then(async () =>
        owner === undefined ? readAll() : readOwner(owner, await rowsOf(database, owner)),
      );
      work = done.catch(() => undefined);
      return done;
    },
  };
}

function rowsOf(database: Kysely<Schema>, owner: string): Promise<Row[]> {
  return database
    .selectFrom('personal_skills')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('name')
    .execute();
}
