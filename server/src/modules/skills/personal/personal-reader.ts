import { personalSkillName } from '@knowhow/shared/skills/skill-id';
import { parseSkill } from '@knowhow/skill-format';
import { slices } from '../../../platform/lib/slices.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { Contents } from '../../content/index.ts';
import { findAccounts } from '../../identity/index.ts';
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
  /**
   * Reads the skills of one user again, or those of all. Resolves when `find` has them. If it fails, these users share
   * nothing until the next read.
   */
  refresh(owner?: string): Promise<void>;
  /**
   * Reads again with whom users share skills, and their accounts; without ids, for all who share. Resolves when `find`
   * knows them. If it fails, these users share nothing until the next read.
   */
  refreshSharing(users?: readonly string[]): Promise<void>;
}

interface Loaded extends VersionFiles {
  skill: PersonalSkill;
}

type Row = Schema['personal_skills'];

const none: readonly PersonalSkill[] = [];
const nothing: Sharing = { account: undefined, skills: [] };
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

  const readSkills = (rows: readonly Row[]) =>
    loadAll(rows, async (row) => {
      const known = loaded.get(row.name);
      return known?.skill.filesChecksum === row.checksum ? known : load(database, source, row);
    });

  function keep(owner: string, found: readonly Loaded[]): void {
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

  /** @param owners at most `batchSize` */
  async function readOwners(owners: readonly string[]): Promise<void> {
    const rows = await rowsOf(database, owners);
    const found = new Map<string, Loaded[]>();
    for (const owner of owners) {
      found.set(owner, await readSkills(rows.filter((row) => row.owner === owner)));
    }
    const skills = [...found].map(
      ([owner, some]) => [owner, some.map(({ skill }) => skill)] as const,
    );
    const sharing = await readSharing(database, new Map(skills));
    for (const [owner, some] of found) {
      keep(owner, some);
      lists.clear(shared.put(owner, sharing.get(owner) ?? nothing) ? undefined : owner);
    }
  }

  async function readAll(): Promise<void> {
    const gone = new Set(byOwner.keys());
    for (let last = ''; ; ) {
      const owners = await readOwnerIds(database, last);
      if (owners.length > 0) {
        await readOwners(owners);
      }
      for (const owner of owners) {
        gone.delete(owner);
        last = owner;
      }
      if (owners.length < batchSize) {
        break;
      }
    }
    for (const owners of slices([...gone], batchSize)) {
      await readOwners(owners);
    }
  }

  async function readSharingOf(users: readonly string[]): Promise<void> {
    for (const owners of slices(users, batchSize)) {
      const skills = owners.map((owner) => [owner, byOwner.get(owner) ?? none] as const);
      for (const [owner, sharing] of await readSharing(database, new Map(skills))) {
        if (shared.put(owner, sharing)) {
          lists.clear();
        }
      }
    }
  }

  /** A skill must not stay visible because the end of its sharing could not be read. */
  const hide = (owners: readonly string[]) => {
    for (const owner of owners) {
      shared.hide(owner);
    }
    lists.clear();
  };
  /** Runs after earlier reads. */
  const inOrder = (read: () => Promise<void>) => {
    const done = work.then(read);
    work = done.catch(() => undefined);
    return done;
  };
  return {
    find: lists.get,
    refresh: (owner) =>
      inOrder(() =>
        owner === undefined
          ? readOrHide(shared.owners(), readAll, hide)
          : readOrHide([owner], readOwners, hide),
      ),
    refreshSharing: (users) =>
      inOrder(() => readOrHide(users?.filter(shared.has) ?? shared.owners(), readSharingOf, hide)),
  };
}

/** Reads owners. After a failure, which it throws, these are given to `hide`. */
async function readOrHide(
  owners: readonly string[],
  read: (owners: readonly string[]) => Promise<void>,
  hide: (owners: readonly string[]) => void,
): Promise<void> {
  try {
    await read(owners);
  } catch (error) {
    hide(owners);
    throw error;
  }
}

/** Those that are completely stored. */
async function loadAll(
  rows: readonly Row[],
  read: (row: Row) => Promise<Loaded | undefined>,
): Promise<Loaded[]> {
  const found: Loaded[] = [];
  for (const row of rows) {
    const skill = await read(row);
    if (skill) {
      found.push(skill);
    }
  }
  return found;
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

/** The sharing of each owner. */
async function readSharing(
  database: Database,
  skills: ReadonlyMap<string, readonly PersonalSkill[]>,
): Promise<Map<string, Sharing>> {
  const owners = [...skills.keys()];
  const recipients = new Map<string, string[]>();
  const sharers = new Set<string>();
  for (const { owner, name, recipient } of await readShares(database, owners)) {
    const others = recipients.get(name) ?? [];
    recipients.set(name, others);
    others.push(recipient);
    sharers.add(owner);
  }
  const accounts = await findAccounts(database, [...sharers]);
  return new Map(
    [...skills].map(([owner, own]) => {
      const shared = own.flatMap((skill) => {
        const some = recipients.get(skill.id);
        return some ? [{ skill, recipients: some }] : [];
      });
      return [owner, { account: accounts.get(owner), skills: shared }];
    }),
  );
}

/** The next owners of skills after this one. */
async function readOwnerIds(database: Database, last: string): Promise<string[]> {
  const rows = await database
    .selectFrom('personal_skills')
    .select('owner')
    .distinct()
    .where('owner', '>', last)
    .orderBy('owner')
    .limit(batchSize)
    .execute();
  return rows.map(({ owner }) => owner);
}

function rowsOf(database: Database, owners: readonly string[]): Promise<Row[]> {
  return database
    .selectFrom('personal_skills')
    .selectAll()
    .where('owner', 'in', owners)
    .orderBy('name')
    .execute();
}
