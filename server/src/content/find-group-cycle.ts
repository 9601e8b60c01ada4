import type { Group } from '@knowhow/shared/groups';

/** The first circle of inheritance as a path that ends where it began, or undefined. */
export function findGroupCycle(groups: Record<string, Group>): string[] | undefined {
  const done = new Set<string>();
  for (const id of Object.keys(groups)) {
    const cycle = walk(id, [], groups, done);
    if (cycle) {
      return cycle;
    }
  }
  return undefined;
}

function walk(
  id: string,
  path: string[],
  groups: Record<string, Group>,
  done: Set<string>,
): string[] | undefined {
  if (path.includes(id)) {
    return [...path.slice(path.indexOf(id)), id];
  }
  const group = Object.hasOwn(groups, id) ? groups[id] : undefined;
  if (!group || done.has(id)) {
    return undefined;
  }
  for (const parent of group.inherits ?? []) {
    const cycle = walk(parent, [...path, id], groups, done);
    if (cycle) {
      return cycle;
    }
  }
  done.add(id);
  return undefined;
}
