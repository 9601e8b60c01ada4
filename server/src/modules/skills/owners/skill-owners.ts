import { withoutHiddenCharacters } from '@knowhow/shared/names';
import { problem } from '@knowhow/shared/problem';
import {
  maxOwnerChoices,
  type OwnerKey,
  ownerKinds,
  type SkillOwner,
} from '@knowhow/shared/skills/skill-owners';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import { guestGroups } from '../../identity/index.ts';
import { type IdentifyOptions, identifySkill } from './identify-skill.ts';

/** The owners of skills: users and groups. An owner that no longer exists counts as none. */
export interface SkillOwners {
  /** See `identifySkill`. */
  identify(skill: string): Promise<string>;
  find(skill: string): Promise<SkillOwner | undefined>;
  /** Owners by name of the skill: of these, or of all skills in one query. */
  findAll(skills?: readonly string[]): Promise<Map<string, SkillOwner>>;
  /** Sets or removes the owner. Throws `invalid-request` for one that does not exist, or a group of guests. */
  set(skill: string, owner: OwnerKey | null): Promise<void>;
  /** Removes the owners of skills, and returns that of the first. */
  remove(...skills: string[]): Promise<OwnerKey | undefined>;
  /** Undefined for an owner that no longer exists. */
  describe(owner: OwnerKey): Promise<SkillOwner | undefined>;
  /** Restores an owner; one that no longer exists is ignored. */
  restore(skill: string, owner: OwnerKey | undefined): Promise<void>;
  /** Users and groups with a word in their name; groups first. */
  search(query: string): Promise<SkillOwner[]>;
}

interface Options extends IdentifyOptions {
  contents: () => Contents;
}

/** Number of skills in one query. */
const batchSize = 500;

export function createSkillOwners(options: Options): SkillOwners {
  const { database, contents } = options;

  const describe = async ({ kind, id }: OwnerKey): Promise<SkillOwner | undefined> => {
    const name =
      kind === 'group' ? contents().groups.get(id)?.name : await findUserName(database, id);
    return name === undefined ? undefined : { kind, id, name: withoutHiddenCharacters(name) };
  };
  const write = async (skill: string, { kind, id }: OwnerKey) => {
    const row = await identifySkill(options, skill);
    await database
      .updateTable('skills')
      .set({ owner_kind: kind, owner_id: id })
      .where('id', '=', row)
      .execute();
  };
  const findAll: SkillOwners['findAll'] = async (skills) => {
    const found = new Map<string, SkillOwner>();
    for (const { skill, userName, ...key } of await findKeys(database, skills)) {
      const groupName = contents().groups.get(key.id)?.name;
      const name = key.kind === 'group' ? groupName : (userName ?? undefined);
      if (name !== undefined) {
        found.set(skill, { ...key, name: withoutHiddenCharacters(name) });
      }
    }
    return found;
  };
  const remove: SkillOwners['remove'] = async (...skills) => {
    const [first] = await findKeys(database, skills.slice(0, 1));
    for (let at = 0; at < skills.length; at += batchSize) {
      await database
        .updateTable('skills')
        .set({ owner_kind: null, owner_id: null })
        .where('name', 'in', skills.slice(at, at + batchSize))
        .where('owner_kind', 'is not', null)
        .execute();
    }
    return first && { kind: first.kind, id: first.id };
  };
  return {
    identify: (skill) => identifySkill(options, skill),
    find: async (skill) => (await findAll([skill])).get(skill),
    findAll,
    set: async (skill, owner) => {
      if (!owner) {
        await remove(skill);
        return;
      }
      if (!(await describe(owner))) {
        throw refusedOwner('unknown', `There is no ${owner.kind} "${owner.id}".`);
      }
      if (isOfGuests(owner, contents())) {
        throw refusedOwner('guests', 'A group of guests cannot own a skill.');
      }
      await write(skill, owner);
    },
    remove,
    describe,
    restore: async (skill, owner) => {
      if (owner && (await describe(owner))) {
        await write(skill, owner);
      }
    },
    search: (query) => search(database, contents(), query),
  };
}

interface OwnedSkill extends OwnerKey {
  skill: string;
  /** The name of a user; null for a group, and for a deleted account. */
  userName: string | null;
}

async function findKeys(database: Database, skills?: readonly string[]): Promise<OwnedSkill[]> {
  if (!skills) {
    return (await ownedSkills(database).execute()).flatMap(toOwned);
  }
  const found: OwnedSkill[] = [];
  for (let at = 0; at < skills.length; at += batchSize) {
    const names = skills.slice(at, at + batchSize);
    const rows = await ownedSkills(database).where('skills.name', 'in', names).execute();
    found.push(...rows.flatMap(toOwned));
  }
  return found;
}

function ownedSkills(database: Database) {
  return database
    .selectFrom('skills')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'skills.owner_id').on('skills.owner_kind', '=', 'user'),
    )
    .select(['skills.name', 'skills.owner_kind', 'skills.owner_id', 'users.name as userName'])
    .where('skills.owner_kind', 'is not', null);
}

function toOwned({
  name: skill,
  owner_kind,
  owner_id: id,
  userName,
}: Awaited<ReturnType<ReturnType<typeof ownedSkills>['execute']>>[number]): OwnedSkill[] {
  const kind = ownerKinds.find((each) => each === owner_kind);
  return kind && id !== null ? [{ skill, kind, id, userName }] : [];
}

async function findUserName(database: Database, id: string): Promise<string | undefined> {
  const row = await database
    .selectFrom('users')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.name;
}

async function search(
  database: Database,
  contents: Contents,
  query: string,
): Promise<SkillOwner[]> {
  const ofGuests = guestGroups(contents);
  const word = query.trim().toLowerCase();
  const isNamed = (...names: string[]) => names.some((name) => name.toLowerCase().includes(word));
  const users = await database
    .selectFrom('users')
    .select(['id', 'name', 'username'])
    .where('disabled', '=', 0)
    .orderBy('username')
    .execute();
  return [
    ...[...contents.groups.values()]
      .filter(({ id, name }) => isNamed(id, name) && !ofGuests.includes(id))
      .map(({ id, name }) => ({ kind: 'group' as const, id, name })),
    ...users
      .filter(({ name, username }) => isNamed(name, username))
      .map(({ id, name }) => ({ kind: 'user' as const, id, name })),
  ]
    .slice(0, maxOwnerChoices)
    .map((owner) => ({ ...owner, name: withoutHiddenCharacters(owner.name) }));
}

/** Guests have no inbox, so none of them would read what the skill's users write. */
function isOfGuests({ kind, id }: OwnerKey, contents: Contents): boolean {
  return kind === 'group' && guestGroups(contents).includes(id);
}

function refusedOwner(code: string, why: string) {
  const message = `${why} Choose another owner.`;
  return problem('invalid-request', message, { issues: [{ path: 'owner.id', code, message }] });
}
