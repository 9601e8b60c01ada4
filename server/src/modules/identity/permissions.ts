import { everyRight, type ScopedRight, skillRights } from '@knowhow/shared/access/admin-rights';
import type { Group } from '@knowhow/shared/access/groups';
import {
  type PersonalSkillLevel,
  personalSkillLevels,
} from '@knowhow/shared/skills/personal-skills';
import { categoryKey } from '@knowhow/shared/skills/skill-category';
import type { Grant, Permissions, SkillGrant } from '../../platform/http/caller.ts';
import { addToGroup } from '../../platform/lib/group-by.ts';

export type { Grant, Permissions, SkillGrant };

const kinds = ['apps', 'models', 'prompts', 'tools'] as const;

/**
 * Role-based access control (RBAC), with groups as roles. Unites the permissions of groups and of all groups they inherit from. Unknown groups grant
 * nothing. Cached for each configuration.
 */
export function computePermissions(
  groupIds: readonly string[],
  groups: ReadonlyMap<string, Group>,
): Permissions {
  const byIds = cache.get(groups) ?? new Map<string, Permissions>();
  cache.set(groups, byIds);
  const ids = JSON.stringify(groupIds);
  const permissions = byIds.get(ids) ?? unite(groupIds, groups);
  if (byIds.size < maxCached) {
    byIds.set(ids, permissions);
  }
  return permissions;
}

const maxCached = 1000;
const cache = new WeakMap<ReadonlyMap<string, Group>, Map<string, Permissions>>();

function unite(groupIds: readonly string[], groups: ReadonlyMap<string, Group>): Permissions {
  const inherited = withInherited(groupIds, groups);
  const unitedGrant = (kind: (typeof kinds)[number] | 'skills'): Grant => {
    const ids = inherited.flatMap((group) => group.permissions?.[kind] ?? []);
    return ids.includes('*') ? 'all' : new Set(ids);
  };
  const grants = kinds.map((kind) => [kind, unitedGrant(kind)] as const);
  return {
    ...(Object.fromEntries(grants) as Record<(typeof kinds)[number], Grant>),
    skills: withCategories(unitedGrant('skills'), inherited),
    personalSkills: highestLevel(inherited),
    adminAccess: rightsOf(inherited),
  };
}

function withCategories(ids: Grant, inherited: readonly Group[]): SkillGrant {
  const categories = new Set(inherited.flatMap(categoriesOf));
  return ids === 'all' || categories.size === 0 ? ids : { ids, categories };
}

/** Keys of the categories that a group grants itself. */
function categoriesOf({ permissions }: Group): string[] {
  return (permissions?.skillCategories ?? []).flatMap((name) => categoryKey(name) ?? []);
}

function highestLevel(inherited: readonly Group[]): PersonalSkillLevel {
  const given = new Set(inherited.map((group) => group.permissions?.personalSkills));
  return personalSkillLevels.findLast((level) => given.has(level)) ?? 'none';
}

/** All rights if any group has all rights. */
function rightsOf(inherited: readonly Group[]): Grant {
  const given = inherited.map((group) => group.permissions?.adminAccess);
  const named = given.flatMap((access) => (Array.isArray(access) ? access : []));
  return given.includes(true) || named.includes(everyRight)
    ? 'all'
    : new Set([...named, ...inherited.flatMap(scopedRightsOf)]);
}

/** The rights that a group gives itself on the skills of some categories. */
function scopedRightsOf({ permissions }: Group): ScopedRight[] {
  return skillRights.flatMap((right) =>
    (permissions?.skillRights?.[right] ?? []).flatMap((name): ScopedRight[] => {
      const category = categoryKey(name);
      return category === undefined ? [] : [`skill-${right}:${category}`];
    }),
  );
}

/** Admin rights of a caller who is not an administrator. */
export const noRights = (): Grant => new Set();

/** Whether a grant covers an id. */
export function grants(grant: Grant, id: string): boolean {
  return grant === 'all' || grant.has(id);
}

/** The parts of a skill that decide whether a grant covers it. */
export interface GrantedSkill {
  id: string;
  /** Its `categoryKey`, if it can be granted by its category. */
  category: string | undefined;
}

/** Whether a grant covers a skill, by its id or its category. */
export function grantsSkill(grant: SkillGrant, { id, category }: GrantedSkill): boolean {
  if (grant === 'all' || !('categories' in grant)) {
    return grants(grant, id);
  }
  return grant.ids.has(id) || (category !== undefined && grant.categories.has(category));
}

/**
 * Returns a function that lists the groups that grant a skill, in order. Prepared for thousands of
 * lookups; agrees with `computePermissions`.
 */
export function groupsBySkill(
  groups: ReadonlyMap<string, Group>,
): (skill: GrantedSkill) => string[] {
  const own = new Map<string, string[]>();
  const byCategory = new Map<string, string[]>();
  const heirs = new Map<string, string[]>();
  for (const [id, group] of groups) {
    const { permissions, inherits = [] } = group;
    for (const skill of permissions?.skills ?? []) {
      addToGroup(own, skill, id);
    }
    for (const category of categoriesOf(group)) {
      addToGroup(byCategory, category, id);
    }
    for (const parent of inherits) {
      addToGroup(heirs, parent, id);
    }
  }
  return ({ id: skill, category }) => {
    const found = new Set([
      ...(own.get('*') ?? []),
      ...(own.get(skill) ?? []),
      ...((category !== undefined && byCategory.get(category)) || []),
    ]);
    for (const id of found) {
      for (const heir of heirs.get(id) ?? []) {
        found.add(heir);
      }
    }
    return found.size === 0 ? [] : [...groups.keys()].filter((id) => found.has(id));
  };
}

/** The groups and all groups they inherit from, without duplicates. Unknown ids are ignored. */
export function withInherited(
  groupIds: readonly string[],
  groups: ReadonlyMap<string, Group>,
): Group[] {
  const visited = new Map<string, Group>();
  const pending = [...groupIds];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const group = groups.get(id);
    if (group && !visited.has(id)) {
      visited.set(id, group);
      for (const parent of group.inherits ?? []) {
        pending.push(parent);
      }
    }
  }
  return [...visited.values()];
}
