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

interface Wanted {
  /** Only these. */
  ids?: readonly string[];
  /** In the name or the user name, in any case. */
  word?: string;
  /** Maximum number. */
  limit: number;
}

/** Other enabled users in one of the caller's groups who may have personal skills, by name. */
export async function findColleagues(
  database: Database,
  { id: self, groups }: Caller,
  contents: Contents,
  { ids, word = '', limit }: Wanted,
): Promise<Colleague[]> {
  if (ids?.length === 0) {
    return [];
  }
  let query = database
    .selectFrom('users')
    .select(['id', 'name', 'username', 'groups', 'directory'])
    .where('disabled', '=', 0)
    .where('id', '<>', self);
  if (ids) {
    query = query.where('id', 'in', ids);
  }
  const users = await query.orderBy('name').orderBy('username').execute();
  const own = new Set(groups);
  const isShared = contents.platform.authenticatedGroups.some((group) => own.has(group));
  const text = word.toLowerCase();
  const found: Colleague[] = [];
  for (const { id, name, username, ...stored } of users) {
    if (found.length >= limit) {
      break;
    }
    // Permissions take longest, so they are last.
    if ([name, username].some((each) => each.toLowerCase().includes(text))) {
      const account = { id, name, groups: getUserGroups(stored) };
      if (
        (isShared || account.groups.some((group) => own.has(group))) &&
        getSkillOwner(signedInCaller(account, contents)) !== undefined
      ) {
        found.push({ id, name, username });
      }
    }
  }
  return found;
}
