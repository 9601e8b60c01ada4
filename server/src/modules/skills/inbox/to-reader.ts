import type { SkillOwner } from '@knowhow/shared/skills/skill-owners';
import type { Contents } from '../../content/index.ts';
import { type Caller, grants } from '../../identity/index.ts';
import type { Reader } from './inbox.ts';

/** The caller as a reader of the inbox: an owner or an administrator of skills. */
export function toReader({ contents }: { contents: () => Contents }, caller: Caller): Reader {
  const { groups } = contents();
  return {
    id: caller.id,
    groups: caller.groups.filter((id) => groups.has(id)),
    readsAll: grants(caller.permissions.adminAccess, 'skills'),
  };
}

/** Whether the caller receives what concerns the skills of an owner: as that owner, or as an administrator. */
export function ownerTest(
  dependencies: { contents: () => Contents },
  caller: Caller,
): (owner: SkillOwner | undefined) => boolean {
  const { id, groups, readsAll } = toReader(dependencies, caller);
  const memberOf = new Set(groups);
  return (owner) =>
    readsAll || (owner?.kind === 'group' ? memberOf.has(owner.id) : owner?.id === id);
}
