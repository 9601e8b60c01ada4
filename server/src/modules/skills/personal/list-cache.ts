import type { Contents } from '../../content/index.ts';
import type { PersonalSkill } from '../store/skill-source.ts';

type List = readonly PersonalSkill[];
type Find = (user: string, groups: readonly string[]) => List;

interface ListCache {
  get: Find;
  /** Call it after each change: of one user's own skills, or of any list. */
  clear(user?: string): void;
}

/** Maximum number of lists kept for comparison with new ones. */
const maxKept = 10_000;

/**
 * Caches lists until `clear` or a change of the contents. Equal lists are the same object, even of several users and
 * after a change that does not concern them, because answers are prepared once for each list.
 */
export function createListCache(contents: () => Contents, find: Find): ListCache {
  let current: Contents | undefined;
  /** By user, with the groups that it was found for. */
  const found = new Map<string, { groups: string; list: List }>();
  /** By the ids of its skills. */
  const kept = new Map<string, List>();

  const keep = (list: List): List => {
    const key = list.map(({ id }) => id).join(' ');
    const known = kept.get(key);
    if (known?.every((skill, at) => skill === list[at])) {
      return known;
    }
    if (kept.size >= maxKept) {
      kept.clear();
    }
    kept.set(key, list);
    return list;
  };
  return {
    get: (user, groups) => {
      const now = contents();
      if (current !== now || found.size >= maxKept) {
        current = now;
        found.clear();
      }
      const key = groups.join(' ');
      const known = found.get(user);
      if (known?.groups === key) {
        return known.list;
      }
      const list = keep(find(user, groups));
      found.set(user, { groups: key, list });
      return list;
    },
    clear: (user) => {
      if (user === undefined) {
        found.clear();
      } else {
        found.delete(user);
      }
    },
  };
}
