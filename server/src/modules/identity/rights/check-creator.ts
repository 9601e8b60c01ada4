import { type AdminRight, holdsRight } from '@knowhow/shared/access/admin-rights';
import { Problem, problem } from '@knowhow/shared/problem';
import { rightsListed } from '../../../platform/http/caller.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import { type Caller, signedInCaller } from '../caller.ts';
import { getUserGroups } from '../identity.ts';

/** An invitation or a key that keeps its groups after the rights of its creator have changed. */
interface Created {
  /** Null for one of an earlier version: its creator is unknown, and has no rights. */
  created_by_id: string | null;
}

const usersAtOnce = 500;

/**
 * Tells whether the creator of an item passes a check with the rights they have now. A disabled or
 * deleted creator never does. Reads each creator once, however many items there are.
 *
 * @param check throws a `Problem` if the creator may not create the item
 */
export async function creatorCheck<Item extends Created>(
  database: Database,
  items: readonly Item[],
  { contents, check }: { contents: Contents; check: (creator: Caller, item: Item) => void },
): Promise<(item: Item) => boolean> {
  const ids = new Set(items.flatMap((item) => item.created_by_id ?? []));
  const creators = await loadCreators(database, [...ids], contents);
  return (item) => {
    const creator = creators.get(item.created_by_id ?? '');
    return creator !== undefined && passes(() => check(creator, item));
  };
}

/** Throws `forbidden` unless the creator holds the right to create such items. */
export function requireRight({ permissions }: Caller, right: AdminRight): void {
  if (!holdsRight(rightsListed(permissions.adminAccess), [right])) {
    throw problem('forbidden', `This is for administrators with the right "${right}".`);
  }
}

async function loadCreators(
  database: Database,
  ids: readonly string[],
  contents: Contents,
): Promise<Map<string, Caller>> {
  const creators = new Map<string, Caller>();
  for (let start = 0; start < ids.length; start += usersAtOnce) {
    const rows = await database
      .selectFrom('users')
      .select(['id', 'name', 'groups', 'directory'])
      .where('id', 'in', ids.slice(start, start + usersAtOnce))
      .where('disabled', '=', 0)
      .execute();
    for (const row of rows) {
      const { id, name } = row;
      creators.set(id, signedInCaller({ id, name, groups: getUserGroups(row) }, contents));
    }
  }
  return creators;
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Problem) {
      return false;
    }
    throw error;
  }
}
