import { randomUUID } from 'node:crypto';
import { plainName } from '@knowhow/shared/names';
import { problem } from '@knowhow/shared/problem';
import {
  maxPersonalBytes,
  maxPersonalFiles,
  maxPersonalSkills,
} from '@knowhow/shared/skills/personal-skills';
import { personalSkillId, personalSkillName } from '@knowhow/shared/skills/skill-id';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { PackedFile } from '@knowhow/skill-format';
import type { Kysely } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import {
  type DescribedFiles,
  describeFiles,
  type ManifestFile,
  readManifest,
  writeManifest,
} from '../versions/manifest.ts';
import { digestsOf, readFiles, releaseBlobs, writeBlobs } from '../versions/skill-blobs.ts';
import { claimBlobs, lockContents, withContents } from '../versions/stored-contents.ts';

/** Skills of single users. Each is named by its owner and its name without the owner, such as `invoices`. */
export interface PersonalSkills {
  /** By name. */
  list(owner: string): Promise<StoredPersonalSkill[]>;
  /** Throws `not-found`. */
  get(owner: string, name: string): Promise<StoredPersonalSkill>;
  /** All files. Throws `not-found` if one is not stored. */
  files(skill: StoredPersonalSkill): Promise<PackedFile[]>;
  /** Throws `name-taken`, `conflict` if the owner has too many, and `too-large`. */
  create(owner: string, creation: Creation): Promise<StoredPersonalSkill>;
  /** Throws `not-found`, `changed-meanwhile` and `too-large`. */
  change(owner: string, name: string, change: Change): Promise<StoredPersonalSkill>;
  /** Last proposals that were returned after a time (ISO 8601, UTC), and whose skill was not changed since. */
  listReturned(owner: string, after: string): Promise<ReturnedProposal[]>;
  /** Records the review of the last proposal. */
  noteReview(owner: string, name: string, review: string): Promise<void>;
  /** Throws `not-found` and `changed-meanwhile`. */
  remove(owner: string, name: string, expected: string | undefined): Promise<void>;
  /** Deletes all skills of a user. Returns their number. */
  removeAllOf(owner: string): Promise<number>;
}

export interface StoredPersonalSkill {
  /** Such as `invoices@anna`. */
  id: string;
  /** Such as `invoices`. */
  name: string;
  owner: string;
  manifest: ManifestFile[];
  /** SHA-256 in hex of all files, with executable bits. */
  checksum: string;
  /** ISO 8601, UTC. */
  updated: string;
  /** The id of the review of its last proposal. */
  review: string | undefined;
}

export interface ReturnedProposal {
  /** The id of the review. */
  id: string;
  /** The name of the skill. */
  name: string;
  /** Display name of the reviewer. */
  by: string;
  comment: string;
  /** ISO 8601, UTC. */
  at: string;
}

interface Creation {
  name: string;
  /** The owner's user name, which becomes part of the id. */
  username: string;
  files: readonly PackedFile[];
}

interface Change {
  files: readonly PackedFile[];
  /** The checksum from `If-Match`. */
  expected: string | undefined;
}

type Row = Schema['personal_skills'];

/** @param onChange called with the owner after each change */
export function createPersonalSkills(
  cluster: Cluster,
  database: Database,
  onChange: (owner: string) => Promise<void>,
): PersonalSkills {
  const change = async <Result>(owner: string, run: (write: Kysely<Schema>) => Promise<Result>) => {
    const result = await withContents(cluster, () => run(database));
    await onChange(owner);
    return result;
  };
  return {
    list: async (owner) => (await rowsOf(database, owner).execute()).map(toSkill),
    get: async (owner, name) => toSkill(await findRow(database, owner, name)),
    files: async ({ name, manifest }) => {
      const files = await readFiles(database, manifest);
      if (!files) {
        throw problem(
          'not-found',
          `The files of your skill "${name}" are not completely stored. Delete it, and write it again.`,
        );
      }
      return files;
    },
    create: (owner, creation) => change(owner, () => create(database, owner, creation)),
    change: (owner, name, { files, expected }) =>
      change(owner, async () => {
        checkUnchanged(expected, (await findRow(database, owner, name)).checksum);
        const described = await store(database, files);
        return inTransaction(database, owner, async (write) => {
          const row = await findRow(write, owner, name);
          return toSkill(await replaceFiles(write, row, described));
        });
      }),
    listReturned: (owner, after) => listReturned(database, owner, after),
    noteReview: async (owner, name, review) => {
      const { id } = await findRow(database, owner, name);
      await database.updateTable('personal_skills').set({ review }).where('id', '=', id).execute();
    },
    remove: (owner, name, expected) =>
      change(owner, () =>
        inTransaction(database, owner, async (write) => {
          const row = await findRow(write, owner, name);
          checkUnchanged(expected, row.checksum);
          await remove(write, row);
        }),
      ),
    removeAllOf: (owner) =>
      change(owner, () =>
        inTransaction(database, owner, async (write) => {
          const rows = await rowsOf(write, owner).execute();
          for (const row of rows) {
            await remove(write, row);
          }
          return rows.length;
        }),
      ),
  };
}

function rowsOf(database: Kysely<Schema>, owner: string) {
  return database
    .selectFrom('personal_skills')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('name');
}

async function findRow(database: Kysely<Schema>, owner: string, name: string): Promise<Row> {
  const rows = await rowsOf(database, owner).execute();
  const row = rows.find((each) => personalSkillName(each.name) === name);
  if (!row) {
    throw problem('not-found', `You have no skill "${name}".`);
  }
  return row;
}

function inTransaction<Result>(
  database: Database,
  owner: string,
  run: (write: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (write) => {
    await lockContents(write, `of ${owner}`);
    return run(write);
  });
}

/** Writes the contents. A row must name them before the lock of `withContents` is released. */
async function store(database: Database, files: readonly PackedFile[]): Promise<DescribedFiles> {
  const described = await describeFiles(files);
  if (described.files > maxPersonalFiles || described.bytes > maxPersonalBytes) {
    throw problem(
      'too-large',
      `A skill of your own has at most ${maxPersonalFiles} files and ${maxPersonalBytes / 1024 / 1024} MiB. Remove files.`,
    );
  }
  await writeBlobs(database, { manifest: described.manifest, files });
  return described;
}

async function create(
  database: Database,
  owner: string,
  { name, username, files }: Creation,
): Promise<StoredPersonalSkill> {
  const own = (await rowsOf(database, owner).execute()).map((row) => personalSkillName(row.name));
  if (own.some((other) => plainName(other) === plainName(name))) {
    throw problem('name-taken', `You have a skill "${name}" already. Choose another name.`);
  }
  if (own.length >= maxPersonalSkills) {
    throw problem(
      'conflict',
      `You have ${maxPersonalSkills} skills. Delete one that you do not need.`,
    );
  }
  const described = await store(database, files);
  return inTransaction(database, owner, async (write) => {
    const now = new Date().toISOString();
    const row: Row = {
      id: randomUUID(),
      name: await findFreeId(write, name, username),
      owner,
      manifest: writeManifest(described.manifest),
      checksum: described.checksum,
      created_at: now,
      updated_at: now,
      review: null,
    };
    await claimBlobs(write, row.id, described.manifest);
    await write.insertInto('personal_skills').values(row).execute();
    return toSkill(row);
  });
}

/** Adds a number to the owner's name if another user's name is spelled alike. */
async function findFreeId(write: Kysely<Schema>, name: string, username: string): Promise<string> {
  const owner = slug(username.split('@')[0] ?? '') || 'user';
  for (let number = 1; ; number += 1) {
    const id = personalSkillId(name, number === 1 ? owner : `${owner}-${number}`);
    const taken = await write
      .selectFrom('personal_skills')
      .select('id')
      .where('name', '=', id)
      .executeTakeFirst();
    if (!taken) {
      return id;
    }
  }
}

async function replaceFiles(
  write: Kysely<Schema>,
  before: Row,
  { manifest, checksum }: DescribedFiles,
): Promise<Row> {
  const row = {
    ...before,
    manifest: writeManifest(manifest),
    checksum,
    updated_at: new Date().toISOString(),
  };
  await claimBlobs(write, row.id, manifest);
  await write.updateTable('personal_skills').set(row).where('id', '=', row.id).execute();
  const kept = new Set(digestsOf(manifest));
  const unused = digestsOf(readManifest(before.manifest)).filter((digest) => !kept.has(digest));
  await releaseBlobs(write, row.id, unused);
  return row;
}

async function remove(write: Kysely<Schema>, { id, manifest }: Row): Promise<void> {
  await write.deleteFrom('personal_skill_shares').where('skill', '=', id).execute();
  await write.deleteFrom('personal_skills').where('id', '=', id).execute();
  await releaseBlobs(write, id, digestsOf(readManifest(manifest)));
}

async function listReturned(
  database: Database,
  owner: string,
  after: string,
): Promise<ReturnedProposal[]> {
  const rows = await database
    .selectFrom('personal_skills as own')
    .innerJoin('skill_reviews as review', 'review.id', 'own.review')
    .select(['own.name', 'review.id', 'review.decided_by', 'review.decided_at', 'review.comment'])
    .where('own.owner', '=', owner)
    .where('review.state', '=', 'returned')
    .where('review.decided_at', '>', after)
    .whereRef('review.decided_at', '>', 'own.updated_at')
    .execute();
  return rows.map(({ id, name, decided_by: by, decided_at: at, comment }) => ({
    ...{ id, name: personalSkillName(name) },
    ...{ by: by ?? '', comment: comment ?? '', at: at ?? '' },
  }));
}

function toSkill({ name: id, owner, manifest, checksum, updated_at, review }: Row) {
  return {
    id,
    name: personalSkillName(id),
    owner,
    manifest: readManifest(manifest),
    checksum,
    updated: updated_at,
    review: review ?? undefined,
  };
}
