import { personalSkillName } from '@knowhow/shared/skills/skill-id';
import { parseSkill } from '@knowhow/skill-format';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { Contents } from '../../content/index.ts';
import { findAccount } from '../../identity/index.ts';
import type { PersonalSkill, SkillSource } from '../store/skill-source.ts';
import { readManifest } from '../versions/manifest.ts';
import { digestsOf, readBlob, readStoredSizes } from '../versions/skill-blobs.ts';
import { createVersionSource, type VersionFiles } from '../versions/version-source.ts';
import { createListCache } from './list-cache.ts';
import { createSharedSkills, type Sharing } from './shared-skills.ts';
import { readShares } from './skill-shares.ts';

/** Keeps the personal skills of all users in memory, without their contents. */
export interface PersonalSkillReader {
  /**
   * The skills of a user by name, then those that others share with the user or with one of the groups. The same list
   * as long as nothing has changed.
   */
  find(user: string, groups: readonly string[]): readonly PersonalSkill[];
  /** Reads the skills of one user again, or those of all. Resolves when `find` has them. */
  refresh(owner?: string): Promise<void>;
  /** Reads the accounts of users who share skills again. Resolves when `find` knows them. */
  refreshAccounts(users: readonly string[]): Promise<void>;
}

interface Loaded extends VersionFiles {
  skill: PersonalSkill;
}

type Row = Schema['personal_skills'];

const none: readonly PersonalSkill[] = [];
/** Users whose ids are read with one query. */
const batchSize = 200;

export function createPersonalSkillReader(
  database: Database,
  contents: () => Contents,
): PersonalSkillReader {
  /** By id. */
  const loaded = new Map<string, Loaded>();
  const byOwner = new Map<string, readonly PersonalSkill[]>();
  const shared = createSharedSkills(contents);
  const lists = createListCache(contents, (user, groups) => {
    const own = byOwner.get(user) ?? none;
    const others = shared.find(user, groups);
    return others.length === 0 ? own : [...own, ...others];
  });
  let work: Promise<unknown> = Promise.resolve();
  const source = createVersionSource({
    location: 'personal',
    find: (path) => loaded.get(path),
    read: ({ digest }) => readBlob(database, digest),
  });

  async function readOwner(owner: string, rows: readonly Row[]): Promise<void> {
    const found: Loaded[] = [];
    for (const row of rows) {
      const known = loaded.get(row.name);
      const skill =
        known?.skill.filesChecksum === row.checksum ? known : await load(database, source, row);
      if (skill) {
        found.push(skill);
      }
    }
    const sharing = await readSharing(database, owner, found);
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
    lists.clear(shared.put(owner, sharing) ? undefined : owner);
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

  async function readAccounts(users: readonly string[]): Promise<void> {
    for (const user of users) {
      if (shared.has(user) && shared.setAccount(user, await findAccount(database, user))) {
        lists.clear();
      }
    }
  }

  /** Runs after earlier reads. */
  const inOrder = (read: () => Promise<void>) => {
    const done = work.then(read);
    work = done.catch(() => undefined);
    return done;
  };
  return {
    find: lists.get,
    refresh: (owner) =>
      inOrder(async () =>
        owner === undefined ? readAll() : readOwner(owner, await rowsOf(database, owner)),
      ),
    refreshAccounts: (users) => inOrder(() => readAccounts(users)),
  };
}

async function load(
  database: Database,
  source: SkillSource,
  row: Row,
): Promise<Loaded | undefined> {
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

async function readSharing(
  database: Database,
  owner: string,
  found: readonly Loaded[],
): Promise<Sharing> {
  const recipients = new Map<string, string[]>();
  for (const { name, recipient } of await readShares(database, owner)) {
    const others = recipients.get(name) ?? [];
    recipients.set(name, others);
    others.push(recipient);
  }
  const skills = found.flatMap(({ skill }) => {
    const some = recipients.get(skill.id);
    return some ? [{ skill, recipients: some }] : [];
  });
  const account = skills.length === 0 ? undefined : await findAccount(database, owner);
  return { account, skills };
}

function rowsOf(database: Database, owner: string): Promise<Row[]> {
  return database
    .selectFrom('personal_skills')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('name')
    .execute();
}
