import { coversCategories, getSkillScope } from '@knowhow/shared/access/admin-rights';
import type { SkillOwner } from '@knowhow/shared/skills/skill-owners';
import { rightsListed } from '../../../platform/http/caller.ts';
import { addToGroup } from '../../../platform/lib/group-by.ts';
import type { Contents } from '../../content/index.ts';
import { type Caller, grants } from '../../identity/index.ts';
import type { SkillStore } from '../store/skill-store.ts';
import type { Reader } from './inbox.ts';

interface Dependencies {
  contents: () => Contents;
  skills: Pick<SkillStore, 'snapshot'>;
}

type OwningReader = Omit<Reader, 'authored' | 'allGroups'>;

/** The caller as a reader of the inbox: an owner, an author of categories, or an administrator of skills. */
export function toReader(dependencies: Dependencies, caller: Caller): Reader {
  return {
    ...toOwner(dependencies, caller),
    authored: findAuthored(dependencies, caller),
    allGroups: [...dependencies.contents().groups.keys()],
  };
}

function toOwner({ contents }: Pick<Dependencies, 'contents'>, caller: Caller): OwningReader {
  const { groups } = contents();
  return {
    id: caller.id,
    groups: caller.groups.filter((id) => groups.has(id)),
    readsAll: grants(caller.permissions.adminAccess, 'skills'),
  };
}

/**
 * Names of the skills in categories whose authors the caller belongs to. A skill and the local ones that it hides must all
 * be in such a category. The category of a skill of another server does not count: that server sets it.
 */
function findAuthored({ skills }: Dependencies, { permissions }: Caller): ReadonlySet<string> {
  const scope = getSkillScope(rightsListed(permissions.adminAccess), ['author']);
  if (scope === 'all' || scope.size === 0) {
    return new Set();
  }
  const { snapshot } = skills;
  const categories = new Map<string, (string | undefined)[]>();
  const hidden = snapshot.shadowed.filter(({ source }) => source.writable);
  for (const { id, source, category } of [...snapshot.skills.values(), ...hidden]) {
    addToGroup(categories, id, source.isRemote ? undefined : category);
  }
  const names = [...categories].filter(([, all]) => coversCategories(scope, all));
  return new Set(names.map(([name]) => name));
}

/** Whether the caller receives what concerns the skills of an owner: as that owner, or as an administrator. */
export function ownerTest(
  dependencies: Pick<Dependencies, 'contents'>,
  caller: Caller,
): (owner: SkillOwner | undefined) => boolean {
  const { id, groups, readsAll } = toOwner(dependencies, caller);
  const memberOf = new Set(groups);
  return (owner) =>
    readsAll || (owner?.kind === 'group' ? memberOf.has(owner.id) : owner?.id === id);
}
