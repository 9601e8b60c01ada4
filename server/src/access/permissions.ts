import { everyRight } from '@knowhow/shared/access/admin-rights';
import type { Group } from '@knowhow/shared/access/groups';

/** What somebody may use of each kind, already united over their groups. Deny by default. */
export interface Permissions {
  apps: Grant;
  models: Grant;
  prompts: Grant;
  skills: Grant;
  tools: Grant;
  /** What somebody looks after: `all`, or these rights. */
  adminAccess: Grant;
}

/** All, or just these ids. */
export type Grant = 'all' | ReadonlySet<string>;

const kinds = ['apps', 'models', 'prompts', 'skills', 'tools'] as const;

/**
 * Unites the permissions of some groups and of all they inherit. Unknown groups grant nothing. Worked out
 * once for a configuration, not for each of the requests and rounds that ask.
 */
export function permissionsOf(
  groupIds: readonly string[],
  groups: ReadonlyMap<string, Group>,
): Permissions {
  const byIds = known.get(groups) ?? new Map<string, Permissions>();
  known.set(groups, byIds);
  const ids = JSON.stringify(groupIds);
  const permissions = byIds.get(ids) ?? unite(groupIds, groups);
  if (byIds.size < maxKept) {
    byIds.set(ids, permissions);
  }
  return permissions;
}

const maxKept = 1000;
const known = new WeakMap<ReadonlyMap<string, Group>, Map<string, Permissions>>();

function unite(groupIds: readonly string[], groups: ReadonlyMap<string, Group>): Permissions {
  const held = withInherited(groupIds, groups);
  const grants = kinds.map((kind) => {
    const ids = held.flatMap((group) => group.permissions?.[kind] ?? []);
    return [kind, ids.includes('*') ? 'all' : new Set(ids)] as const;
  });
  return {
    ...(Object.fromEntries(grants) as Record<(typeof kinds)[number], Grant>),
    adminAccess: rightsOf(held),
  };
}

/** All where one of them has all. */
function rightsOf(held: readonly Group[]): Grant {
  const given = held.map((group) => group.permissions?.adminAccess);
  const named = given.flatMap((access) => (Array.isArray(access) ? access : []));
  return given.includes(true) || named.includes(everyRight) ? 'all' : new Set(named);
}

/** Of somebody who looks after nothing. */
export const noRights = (): Grant => new Set();

/** Whether a grant covers an id. */
export function grants(grant: Grant, id: string): boolean {
  return grant === 'all' || grant.has(id);
}

/** Which groups grant a skill, in their order: what `permissionsOf` says, prepared for being asked of thousands. */
export function groupsBySkill(groups: ReadonlyMap<string, Group>): (skill: string) => string[] {
  const own = new Map<string, string[]>();
  const heirs = new Map<string, string[]>();
  for (const [id, { permissions, inherits = [] }] of groups) {
    for (const skill of permissions?.skills ?? []) {
      addTo(own, skill, id);
    }
    for (const parent of inherits) {
      addTo(heirs, parent, id);
    }
  }
  return (skill) => {
    const found = new Set([...(own.get('*') ?? []), ...(own.get(skill) ?? [])]);
    for (const id of found) {
      for (const heir of heirs.get(id) ?? []) {
        found.add(heir);
      }
    }
    return found.size === 0 ? [] : [...groups.keys()].filter((id) => found.has(id));
  };
}

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) {
    list.push(value);
  } else {
    lists.set(key, [value]);
  }
}

/** Groups by their ids, with all they inherit, each once. Unknown ones are left out. */
export function withInherited(
  groupIds: readonly string[],
  groups: ReadonlyMap<string, Group>,
): Group[] {
  const held = new Map<string, Group>();
  const pending = [...groupIds];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const group = groups.get(id);
    if (group && !held.has(id)) {
      held.set(id, group);
      for (const parent of group.inherits ?? []) {
        pending.push(parent);
      }
    }
  }
  return [...held.values()];
}
