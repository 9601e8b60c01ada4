import { skillRights } from '@knowhow/shared/access/admin-rights';
import { asRecord, asTexts, type Config } from '../items/config-value.ts';

/** The configurations of all groups, by ID. */
export type Groups = ReadonlyMap<string, Config>;

export const grantKinds = [
  'apps',
  'models',
  'prompts',
  'skills',
  'skillCategories',
  'tools',
] as const;
export type GrantKind = (typeof grantKinds)[number];

/** One granted item, or all of a kind with `*`, and the group that grants it. */
export interface InheritedGrant {
  id: string;
  via: string;
}

/** The entries of a kind that a group inherits; only `*` if all are granted. */
export function inheritedGrants(
  kind: GrantKind,
  parents: readonly string[],
  groups: Groups,
): InheritedGrant[] {
  const grants = new Map<string, string>();
  for (const via of ancestors(parents, groups)) {
    for (const id of asTexts(asRecord(groups.get(via)?.permissions)[kind])) {
      grants.set(id, grants.get(id) ?? via);
    }
  }
  const all = grants.get('*');
  return all === undefined
    ? [...grants].map(([id, via]) => ({ id, via }))
    : [{ id: '*', via: all }];
}

/** The admin permissions inherited from these groups; only `*` for all. */
export function inheritedRights(parents: readonly string[], groups: Groups): InheritedGrant[] {
  const rights = ancestors(parents, groups).flatMap((via) => {
    const { adminAccess, skillRights: scopes } = asRecord(groups.get(via)?.permissions);
    const ids = adminAccess === true ? ['*'] : asTexts(adminAccess);
    const scoped = skillRights.flatMap((right) =>
      asTexts(asRecord(scopes)[right]).map((category) => `skill-${right}:${category}`),
    );
    return [...ids, ...scoped].map((id) => ({ id, via }));
  });
  const all = rights.find(({ id }) => id === '*');
  return all ? [all] : [...new Map(rights.toReversed().map((each) => [each.id, each])).values()];
}

/** The cycle that exists, or would exist, if a group inherited from another one. */
export function findInheritanceCycle(
  id: string,
  parent: string,
  groups: Groups,
): string[] | undefined {
  const ways = [[id, parent]];
  const seen = new Set<string>();
  for (const way of ways) {
    const last = way.at(-1) ?? '';
    if (last === id) {
      return way;
    }
    if (!seen.has(last)) {
      seen.add(last);
      ways.push(...asTexts(groups.get(last)?.inherits).map((next) => [...way, next]));
    }
  }
  return undefined;
}

/** These groups and all their ancestors, each once, nearest first. */
function ancestors(parents: readonly string[], groups: Groups): string[] {
  const found = new Set(parents);
  for (const id of found) {
    for (const next of asTexts(groups.get(id)?.inherits)) {
      found.add(next);
    }
  }
  return [...found];
}
