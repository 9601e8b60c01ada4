import type { Database } from '../../platform/storage/open-database.ts';
import type { Contents } from '../content/index.ts';
import { type Caller, signedInCaller } from './caller.ts';
import { getSkillOwner } from './get-skill-owner.ts';
import { getUserGroups } from './identity.ts';

interface Colleague {
  id: string;
  name: string;
  username: string;
}

/** Other enabled users in one of the caller's groups who may have personal skills, by name. */
export async function findColleagues(
  database: Database,
  { id: self, groups }: Caller,
  contents: Contents,
): Promise<Colleague[]> {
  const users = await database
    .selectFrom('users')
    .select(['id', 'name', 'username', 'groups', 'directory'])
    .where('disabled', '=', 0)
    .where('id', '<>', self)
    .orderBy('name')
    .orderBy('username')
    .execute();
  const own = new Set(groups);
  return users
    .filter((user) => {
      const account = { id: user.id, name: user.name, groups: getUserGroups(user) };
      const colleague = signedInCaller(account, contents);
      return (
        getSkillOwner(colleague) !== undefined && colleague.groups.some((group) => own.has(group))
      );
    })
    .map(({ id, name, username }) => ({ id, name, username }));
}
